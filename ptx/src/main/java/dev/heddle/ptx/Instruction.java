package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/// An instruction as its text gives it.
///
/// `@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];` has the opcode `ld`, the qualifiers `global`,
/// `v2`, `f32`, two operands and a guard.
///
/// @param guard the predicate in front of it, or null
/// @param opcode the first word
/// @param qualifiers what follows it, without dots, `::` parts kept whole (`shared::cta`)
/// @param operands in order
/// @param position where the opcode is
public record Instruction(
        @Nullable Guard guard,
        String opcode,
        List<String> qualifiers,
        List<Operand> operands,
        SourcePosition position)
        implements Statement {

    public Instruction {
        qualifiers = List.copyOf(qualifiers);
        operands = List.copyOf(operands);
    }

    /// Whether this qualifier (without its dot) is among them.
    public boolean has(String qualifier) {
        return qualifiers.contains(qualifier);
    }

    /// Where this qualifier is, its dot included; where the opcode is if there is none.
    public SourcePosition positionOf(String qualifier) {
        int at = opcode.length();
        for (String word : qualifiers) {
            if (word.equals(qualifier)) {
                return new SourcePosition(position.file(), position.line(), position.column() + at);
            }
            at += word.length() + 1;
        }
        return position;
    }

    /// The same with vector registers as lists of their components.
    public Instruction byComponents() {
        return operands.stream().anyMatch(Instruction::namesWhole)
                ? new Instruction(
                        guard,
                        opcode,
                        qualifiers,
                        operands.stream().map(Instruction::byComponents).toList(),
                        position)
                : this;
    }

    private static boolean namesWhole(Operand operand) {
        return switch (operand) {
            case Operand.Register register -> register.isWhole();
            case Operand.Arguments(List<Operand> list, _) ->
                    list.stream().anyMatch(Instruction::namesWhole);
            case Operand.AddressList(List<Operand> parts, _) ->
                    parts.stream().anyMatch(Instruction::namesWhole);
            default -> false;
        };
    }

    private static Stream<Operand> components(Operand operand) {
        return operand instanceof Operand.Register register && register.isWhole()
                ? register.components().stream()
                : Stream.of(operand);
    }

    private static Operand byComponents(Operand operand) {
        return switch (operand) {
            case Operand.Register register when register.isWhole() ->
                    new Operand.Vector(register.components(), register.position());
            case Operand.Arguments(List<Operand> list, SourcePosition at) ->
                    new Operand.Arguments(
                            list.stream().flatMap(Instruction::components).toList(), at);
            case Operand.AddressList(List<Operand> parts, SourcePosition at) ->
                    new Operand.AddressList(
                            parts.stream().map(Instruction::byComponents).toList(), at);
            default -> operand;
        };
    }

    /// The opcode with its qualifiers, as PTX writes it.
    public String mnemonic() {
        return qualifiers.isEmpty() ? opcode : opcode + "." + String.join(".", qualifiers);
    }
}
