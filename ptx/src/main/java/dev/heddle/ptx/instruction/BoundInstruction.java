package dev.heddle.ptx.instruction;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.ptx.Guard;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.SourcePosition;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// An instruction that fits a form of the table: which form, what was chosen for each of its
/// places, and which operands stand for what.
///
/// `@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];` is bound to the form `ld{.ss}{.vec}.type ~d*, [a]`
/// of kind [InstructionKind#LOAD], with `ss` = `global`, `vec` = `v2` and `type` = `f32`.
///
/// @param instruction as parsed
/// @param match how its qualifiers fill the places of the form
public record BoundInstruction(Instruction instruction, FormMatch match) {

    /// Which instruction of the manual it is.
    public InstructionKind kind() {
        return match.form().kind();
    }

    /// The first word: `ld`.
    public String opcode() {
        return instruction.opcode();
    }

    /// Whether this qualifier is among its words.
    public boolean has(String qualifier) {
        return instruction.has(qualifier);
    }

    /// The first of these qualifiers that it has.
    ///
    /// @throws IllegalStateException where it has none of them
    public String oneOf(String... choices) {
        for (String choice : choices) {
            if (has(choice)) {
                return choice;
            }
        }
        throw new IllegalStateException(mnemonic() + " with none of " + List.of(choices));
    }

    /// The word in a place of the form, or null where the place is empty or the form has none of
    /// that name.
    public @Nullable String word(String place) {
        return match.word(place);
    }

    /// The mnemonic with the qualifiers in the order of the table: `szext.clamp.s32`.
    public String canonical() {
        return match.mnemonic();
    }

    /// The name of the function that the whole instruction is, where lanes of a warp compute it
    /// together: the mnemonic in the order of the table, without `.sync` and `.aligned`.
    public String function() {
        return Arrays.stream(canonical().split("[.]"))
                .filter(word -> !word.equals("sync") && !word.equals("aligned"))
                .collect(Collectors.joining("."));
    }

    /// The places of its operands, in order.
    public List<InstructionForm.OperandForm> places() {
        return match.places(operands().size());
    }

    /// The types of its operands, in order; null where any may appear.
    public List<@Nullable ScalarType> operandTypes() {
        List<@Nullable ScalarType> types = new ArrayList<>();
        places().forEach(place -> types.add(match.typeOf(place)));
        return types;
    }

    /// The types among its words, in order.
    public List<ScalarType> types() {
        return match.types();
    }

    /// The last of its types: the one that an instruction of a single type works in.
    ///
    /// @throws IllegalStateException where it has none
    public ScalarType type() {
        List<ScalarType> types = types();
        if (types.isEmpty()) {
            throw new IllegalStateException(instruction.mnemonic() + " has no type");
        }
        return types.getLast();
    }

    /// One of its types.
    public ScalarType type(int index) {
        return types().get(index);
    }

    /// The opcode with its qualifiers, as PTX writes it.
    public String mnemonic() {
        return instruction.mnemonic();
    }

    /// Where the opcode is.
    public SourcePosition position() {
        return instruction.position();
    }

    /// The predicate in front of it, or null.
    public @Nullable Guard guard() {
        return instruction.guard();
    }

    /// Its operands, in order.
    public List<Operand> operands() {
        return instruction.operands();
    }

    /// One of its operands.
    public Operand operand(int index) {
        return instruction.operands().get(index);
    }

    /// The section of the manual that has its syntax.
    public String section() {
        return isProduct() ? product().family().section() : match.form().section();
    }

    /// Whether all threads of a warp must execute it together: `.aligned`, and a barrier that
    /// leaves no choice, which is every `bar`.
    public boolean isAligned() {
        return has("aligned")
                || (kind() == InstructionKind.BARRIER && !match.form().offers("aligned"));
    }

    /// Whether it is `mma` or `wgmma.mma_async`, dense or sparse.
    public boolean isProduct() {
        return kind() == InstructionKind.MATRIX_MULTIPLY
                || kind() == InstructionKind.WARPGROUP_MULTIPLY;
    }

    /// The form of a product.
    public Form product() {
        boolean described =
                kind() == InstructionKind.WARPGROUP_MULTIPLY
                        && !(operand(1) instanceof Operand.Vector);
        return match.product(mnemonic(), described ? ASource.SHARED_MEMORY : ASource.REGISTERS);
    }

    /// The operands that it writes.
    public List<Operand> written() {
        return sides(true);
    }

    /// The operands that it reads, addresses among them.
    public List<Operand> read() {
        return sides(false);
    }

    private List<Operand> sides(boolean written) {
        List<Operand> operands = operands();
        List<Operand> side = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            if (isWritten(i) == written) {
                side.add(operands.get(i));
            }
        }
        return side;
    }

    private boolean isWritten(int operand) {
        if (match.isOpen()) {
            return operand == 0 && writesFirst(operands().getFirst());
        }
        return places().get(operand).isDestination();
    }

    /// Of forms whose operands are open, the first is the result, where there is one.
    private boolean writesFirst(Operand first) {
        return switch (kind()) {
            case CALL -> first instanceof Operand.Arguments;
            case TENSOR_MEMORY, MULTIMEM -> !(first instanceof Operand.Address);
            default -> true;
        };
    }
}
