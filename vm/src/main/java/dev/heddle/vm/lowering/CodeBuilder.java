package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B16;
import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.B8;
import static dev.heddle.ptx.ScalarType.PRED;
import static dev.heddle.vm.ir.OperationKind.HIGH;
import static dev.heddle.vm.ir.OperationKind.MOV;
import static dev.heddle.vm.ir.OperationKind.NOT;
import static dev.heddle.vm.ir.OperationKind.PACK;
import static dev.heddle.vm.ir.OperationKind.SEXT;
import static dev.heddle.vm.ir.OperationKind.TRUNC;
import static dev.heddle.vm.ir.OperationKind.ZEXT;

import dev.heddle.ptx.Constant;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The function under construction: its registers, its frame, its blocks, and the instruction being
/// lowered.
final class CodeBuilder {
    private final ModuleLayout layout;
    private final RegisterNames registers = new RegisterNames();
    private final FrameLayout frame;
    private final List<DraftBlock> blocks = new ArrayList<>();
    private DraftBlock current;
    private int places;
    private @Nullable Site site;
    private @Nullable Guard guard;

    /// A 128-bit value as its two halves.
    ///
    /// @param low bits 63 to 0
    /// @param high bits 127 to 64
    record Wide(Source low, Source high) {}

    CodeBuilder(ModuleLayout layout) {
        this.layout = layout;
        frame = new FrameLayout(layout);
        this.current = open();
    }

    // Blocks.

    /// A new empty block, not yet entered.
    DraftBlock open() {
        DraftBlock block = new DraftBlock(blocks.size());
        blocks.add(block);
        return block;
    }

    /// Steps go to this block from now on; the block before it falls into it if it has no exit.
    void enter(DraftBlock block) {
        if (current.exit == null) {
            current.exit = new Exit.Jump(null, block.number);
        }
        current = block;
        current.place = ++places;
    }

    /// Ends the current block; `next` follows.
    void leave(Exit exit, DraftBlock next) {
        current.exit = exit;
        current = next;
        current.place = ++places;
    }

    List<DraftBlock> blocks() {
        return blocks;
    }

    void finish(Exit exit) {
        if (current.exit == null) {
            current.exit = exit;
        }
    }

    // The instruction at hand.

    void begin(Site next, Instruction instruction) {
        site = next;
        guard = null;
        dev.heddle.ptx.Guard written = instruction.guard();
        if (written != null) {
            Register predicate = registers.of(written.predicate());
            if (predicate.width() != Width.PREDICATE) {
                throw new UnsupportedInstruction("a guard that is no predicate");
            }
            guard = new Guard(predicate, written.negated());
        }
    }

    Site site() {
        if (site == null) {
            throw new IllegalStateException("no instruction begun");
        }
        return site;
    }

    @Nullable Guard guard() {
        return guard;
    }

    void add(Step step) {
        current.steps.add(step);
    }

    /// Its registers.
    RegisterNames registers() {
        return registers;
    }

    /// Where its variables are.
    FrameLayout frame() {
        return frame;
    }

    // Operands.

    /// A 128-bit operand: a register, or a constant, which is extended with zeros.
    Wide readWide(Operand operand) {
        if (operand instanceof Operand.Register named && RegisterNames.isWide(named)) {
            return new Wide(registers.half(named, false), registers.half(named, true));
        }
        if (operand instanceof Operand.Immediate) {
            return new Wide(read(operand, ScalarType.B64), Source.longword(0));
        }
        throw new UnsupportedInstruction("a 128-bit operand of this kind");
    }

    /// The halves of a 128-bit register that an instruction writes; null for a sink.
    List<@Nullable Register> wideDestination(Operand operand) {
        if (operand instanceof Operand.Sink) {
            return Arrays.asList(null, null);
        }
        if (operand instanceof Operand.Register named && RegisterNames.isWide(named)) {
            return Arrays.asList(registers.half(named, false), registers.half(named, true));
        }
        throw new UnsupportedInstruction("128 bits into a narrower register");
    }

    void writeWide(Operand destination, Wide value) {
        List<@Nullable Register> targets = wideDestination(destination);
        Register low = targets.get(0);
        Register high = targets.get(1);
        if (low != null && high != null) {
            move(low, value.low());
            move(high, value.high());
        }
    }

    /// A value as it is now, whatever is written to its register afterwards.
    Source copy(Source value) {
        return value instanceof Register register && register.kind() != Register.Kind.TEMPORARY
                ? compute(moveOf(value.width()), value)
                : value;
    }

    /// The register an operand names as destination; a sink gets a temporary.
    Register destination(Operand operand, Width width) {
        return switch (operand) {
            case Operand.Register named -> registers.of(named);
            case Operand.Sink _ -> registers.temporary(width);
            default -> throw new UnsupportedInstruction("a destination that is no register");
        };
    }

    // Sources.

    static Width widthOf(ScalarType type) {
        return type == ScalarType.PRED
                ? Width.PREDICATE
                : type.bits() <= 32 ? Width.WORD : Width.LONG;
    }

    /// The value of an operand that must be a constant.
    int constant(Operand operand) {
        if (read(operand, ScalarType.B32) instanceof Source.Constant(_, long bits)) {
            return (int) bits;
        }
        throw new UnsupportedInstruction("a register where a constant is needed");
    }

    /// An operand as an instruction of this type reads it. Registers wider than the type give their
    /// low bits.
    Source read(Operand operand, ScalarType type) {
        if (type.bits() > 64) {
            throw new UnsupportedInstruction("128-bit values");
        }
        return switch (operand) {
            case Operand.Register named -> {
                Register register = registers.of(named);
                yield fit(register, type);
            }
            case Operand.Immediate(Constant value, _) -> WorkingTypes.constant(value, type);
            case Operand.SpecialRegister special -> fit(special(special), type);
            case Operand.Symbol symbol -> fit(frame.address(symbol), type);
            case Operand.Negated(char operator, Operand inner, _) -> {
                if (operator == '!' && type == ScalarType.PRED) {
                    yield compute(NOT, PRED, read(inner, type));
                }
                throw new UnsupportedInstruction("the operator " + operator);
            }
            case Operand.Address _,
                    Operand.Element _,
                    Operand.AddressList _,
                    Operand.Vector _,
                    Operand.Arguments _,
                    Operand.Pair _,
                    Operand.Sink _ ->
                    throw new UnsupportedInstruction("an operand of this kind here");
        };
    }

    private Source fit(Source source, ScalarType type) {
        Width wanted = widthOf(type);
        if (source.width() == wanted) {
            // 16-bit types read the low half of a wider register.
            return wanted == Width.WORD
                            && type.bits() < 32
                            && source instanceof Register register
                            && register.bits() > type.bits()
                            && type.bits() == 16
                    ? lowHalf(source)
                    : source;
        }
        if (source instanceof Source.Constant(_, long bits)) {
            return new Source.Constant(wanted, wanted == Width.WORD ? bits & 0xffff_ffffL : bits);
        }
        if (source.width() == Width.LONG && wanted == Width.WORD) {
            Source low = compute(Operation.from(B64, TRUNC, B32), source);
            return type.bits() == 16 ? lowHalf(low) : low;
        }
        if (source.width() == Width.WORD && wanted == Width.LONG) {
            return compute(Operation.from(B32, ZEXT, B64), source);
        }
        throw new UnsupportedInstruction("a predicate where a value is needed, or the reverse");
    }

    /// The value of a predefined register.
    Register special(SpecialRegister special) {
        if (special.isReservedShared()) {
            layout.reserveShared();
        }
        Register target = registers.temporary(special.width());
        add(new Step.ReadSpecial(site(), null, special, target));
        return target;
    }

    private Source special(Operand.SpecialRegister operand) {
        String text = operand.toString().substring(1).replace('.', '_').toUpperCase(Locale.ROOT);
        if (text.equals("WARP_SZ")) {
            return Source.word(32);
        }
        if (text.startsWith("ENVREG") && !text.equals("ENVREG1") && !text.equals("ENVREG2")) {
            return Source.word(0);
        }
        SpecialRegister special;
        try {
            special = SpecialRegister.valueOf(text);
        } catch (IllegalArgumentException _) {
            throw new UnsupportedInstruction("the special register " + operand);
        }
        return special(special);
    }

    // Operations.

    /// The result of an operation in a temporary, without a guard: operations are pure.
    Source compute(Operation operation, Source... arguments) {
        Register target = registers.temporary(operation.result().width());
        add(step(null, operation, target, arguments));
        return target;
    }

    /// The result of an operation without rounding or modifiers.
    Source compute(OperationKind kind, ScalarType type, Source... arguments) {
        return compute(Operation.of(kind, type), arguments);
    }

    /// The low half of a word.
    Source lowHalf(Source word) {
        return compute(Operation.from(B16, ZEXT, B32), word);
    }

    /// The high half of a word.
    Source highHalf(Source word) {
        return compute(Operation.from(B32, HIGH, B16), word);
    }

    /// Two halves as a word; their upper bits are cut.
    Source pairHalves(Source low, Source high) {
        return compute(Operation.from(B16, PACK, B32), low, high);
    }

    /// The result of an operation in a register, under the instruction's guard.
    void assign(Register target, Operation operation, Source... arguments) {
        add(step(guard, operation, target, arguments));
    }

    private Step.Compute step(
            @Nullable Guard condition, Operation operation, Register target, Source... arguments) {
        List<Carrier> parameters = operation.parameters();
        boolean fits =
                parameters.size() == arguments.length
                        && operation.result().width() == target.width();
        for (int i = 0; fits && i < arguments.length; i++) {
            fits = arguments[i].width() == parameters.get(i).width();
        }
        if (!fits) {
            throw new UnsupportedInstruction("operands of these widths (" + operation + ")");
        }
        return new Step.Compute(site(), condition, operation, target, List.of(arguments));
    }

    /// Copies a value into a register, under the instruction's guard. A temporary that the last
    /// step computed is computed there at once.
    void move(Register target, Source value) {
        if (!current.steps.isEmpty()
                && current.steps.getLast() instanceof Step.Compute last
                && last.target().equals(value)
                && last.target().kind() == Register.Kind.TEMPORARY
                && last.target().width() == target.width()) {
            current.steps.removeLast();
            add(new Step.Compute(last.site(), guard, last.operation(), target, last.arguments()));
            return;
        }
        assign(target, moveOf(target.width()), value);
    }

    private static Operation moveOf(Width width) {
        return switch (width) {
            case PREDICATE -> Operation.of(MOV, PRED);
            case WORD -> Operation.of(MOV, B32);
            case LONG -> Operation.of(MOV, B64);
        };
    }

    /// Writes a value of an instruction's type: extended to the register as its signedness asks
    /// (PTX ISA 9.4.1).
    void write(Operand destination, Source value, ScalarType type) {
        if (destination instanceof Operand.Sink) {
            return;
        }
        Register target = destination(destination, widthOf(type));
        move(target, extend(value, type, target.bits()));
    }

    /// A value of this type as a register of so many bits holds it.
    Source extend(Source value, ScalarType type, int bits) {
        Source result = value;
        boolean signed = type.kind() == ScalarType.Kind.SIGNED;
        if (type.bits() < 32 && type.bits() > 1 && bits > type.bits()) {
            result = narrow(result, type.bits(), signed);
        }
        if (bits == 64 && result.width() == Width.WORD) {
            return compute(Operation.from(B32, signed ? SEXT : ZEXT, B64), result);
        }
        if (bits <= 32 && result.width() == Width.LONG) {
            result = compute(Operation.from(B64, TRUNC, B32), result);
        }
        if (bits == 16 || bits == 8) {
            return narrow(result, bits, false);
        }
        return result;
    }

    /// The low 8 or 16 bits, extended to 32.
    Source narrow(Source value, int bits, boolean signed) {
        return compute(Operation.from(bits == 8 ? B8 : B16, signed ? SEXT : ZEXT, B32), value);
    }
}
