package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.GenericInstruction;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.TargetDirective;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.Kind;
import dev.heddle.ptx.instruction.InstructionKind;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What the notation of the forms cannot say: ranges of constants, sizes of vectors and addresses,
/// removed instructions.
final class InstructionRules {

    private static final PtxVersion ROUNDED = new PtxVersion(3, 2);
    private static final PtxVersion REMOVED = new PtxVersion(6, 4);
    private static final PtxVersion IGNORED_SOURCE = new PtxVersion(7, 5);
    private static final PtxVersion WIDE = new PtxVersion(8, 8);

    private final Module module;
    private final Function function;
    private final TargetDirective target;
    private final Reporter reporter;
    private final CacheRules cache;

    InstructionRules(Module module, Function function, TargetDirective target, Reporter reporter) {
        this.module = module;
        this.function = function;
        this.target = target;
        this.reporter = reporter;
        this.cache = new CacheRules(reporter);
    }

    void check(GenericInstruction instruction, FormMatch binding) {
        String head = binding.form().head();
        switch (instruction.opcode()) {
            case "bar", "barrier" -> barrier(instruction, binding);
            case "setmaxnreg" -> registers(instruction, binding);
            case "pmevent" -> {
                if (!instruction.has("mask")) {
                    range(instruction, binding, 0, 0, 15);
                }
            }
            case "wgmma" -> {
                if (head.equals("wgmma.wait_group")) {
                    range(instruction, binding, 0, 0, Long.MAX_VALUE);
                }
            }
            case "cp" -> copySize(instruction, binding, head);
            case "cvt" -> saturation(instruction, binding);
            case "mad" -> rounding(instruction, binding);
            case "vmad" -> negation(instruction, binding);
            case "shfl", "vote" -> synchronous(instruction, binding);
            case "mov" -> move(instruction, binding);
            case "mbarrier" -> {
                remoteArrival(instruction, binding);
                arrivals(instruction, binding);
            }
            case "tensormap" -> {
                if (instruction.has("replace")) {
                    range(instruction, binding, 1, 0, lastValue(binding));
                }
            }
            case "ld", "ldu", "st", "atom", "red" -> cache.check(instruction, binding);
            default -> {}
        }
        if (binding.form().kind() == InstructionKind.VIDEO) {
            merge(instruction, binding);
        }
        width(instruction, binding);
        addresses(instruction, binding);
    }

    /// A result goes into part of a register only beside the rest of operand c.
    private void merge(GenericInstruction instruction, FormMatch binding) {
        Operand target = instruction.operands().getFirst();
        boolean selects =
                target instanceof Operand.Register register && register.component() != null;
        if (selects && (instruction.operands().size() < 4 || binding.word("op2") != null)) {
            report(
                    Rule.WRONG_VIDEO_SELECTOR,
                    instruction,
                    target,
                    Words.of(target)
                            + (instruction.operands().size() < 4
                                    ? ": there is no operand c to merge it into"
                                    : " beside a second operation"),
                    "leave the selector out",
                    binding);
        }
    }

    /// `vmad` negates its product or its addend.
    private void negation(GenericInstruction instruction, FormMatch binding) {
        List<Operand> operands = instruction.operands();
        boolean product =
                operands.get(1) instanceof Operand.Negated
                        || operands.get(2) instanceof Operand.Negated;
        if (product && operands.get(3) instanceof Operand.Negated addend) {
            report(
                    Rule.NEGATED_OPERAND,
                    instruction,
                    addend,
                    "'-' before operand c and before a or b of " + instruction.mnemonic(),
                    "negate one of them with neg first",
                    binding);
        }
    }

    /// The largest value of a field of a tensor map, or the largest dimension (PTX ISA 9.7.9.28).
    private long lastValue(FormMatch binding) {
        String kind = binding.word("kind");
        return kind == null
                ? 4
                : switch (kind) {
                    case "elemtype" -> target.isAtLeast(100) ? 15 : 12;
                    case "interleave_layout" -> 2;
                    case "fill_mode" -> 1;
                    default -> 3;
                };
    }

    private static @Nullable Long constant(GenericInstruction instruction, int operand) {
        return operand < instruction.operands().size()
                        && instruction.operands().get(operand)
                                instanceof Operand.Immediate(IntegerConstant(long value, _), _)
                ? value
                : null;
    }

    private void range(
            GenericInstruction instruction, FormMatch binding, int operand, long least, long most) {
        Long value = constant(instruction, operand);
        if (value != null && (value < least || value > most)) {
            report(
                    Rule.CONSTANT_OUT_OF_RANGE,
                    instruction,
                    instruction.operands().get(operand),
                    value
                            + " is out of range; "
                            + least
                            + " to "
                            + (most == Long.MAX_VALUE ? "any number" : most),
                    "write a number in that range",
                    binding);
        }
    }

    private void barrier(GenericInstruction instruction, FormMatch binding) {
        if (!binding.form().head().equals(instruction.opcode())) {
            return;
        }
        int first = instruction.has("red") ? 1 : 0;
        range(instruction, binding, first, 0, 15);
        Long threads = constant(instruction, first + 1);
        if (threads != null && (threads % 32 != 0 || threads < 0)) {
            report(
                    Rule.WRONG_BARRIER_THREAD_COUNT,
                    instruction,
                    instruction.operands().get(first + 1),
                    "a barrier for "
                            + threads
                            + " threads; it takes a multiple of 32, the size of a warp",
                    "count whole warps",
                    binding);
        } else if (threads != null && threads == 0 && instruction.has("arrive")) {
            report(
                    Rule.WRONG_BARRIER_THREAD_COUNT,
                    instruction,
                    instruction.operands().get(first + 1),
                    "an arrival for 0 threads",
                    "name the number of threads that take part",
                    binding);
        }
    }

    private void registers(GenericInstruction instruction, FormMatch binding) {
        Long count = constant(instruction, 0);
        if (count != null && (count < 24 || count > 256 || count % 8 != 0)) {
            report(
                    Rule.WRONG_SETMAXNREG_COUNT,
                    instruction,
                    instruction.operands().getFirst(),
                    count + " registers; 24 to 256, a multiple of 8",
                    "write " + Math.clamp((count + 4) / 8 * 8, 24, 256),
                    binding);
        }
    }

    private void arrivals(GenericInstruction instruction, FormMatch binding) {
        boolean counted =
                binding.form().operands().size() == 3
                        && binding.form().operands().get(2).presence()
                                == InstructionForm.Presence.OPTIONAL
                        && instruction.operands().size() == 3
                        && instruction.qualifiers().getFirst().startsWith("arrive");
        if (counted && !target.isAtLeast(90)) {
            report(
                    Rule.UNSUPPORTED_TARGET,
                    instruction,
                    instruction.operands().get(2),
                    instruction.mnemonic()
                            + " with a count needs sm_90 or higher; the module says .target "
                            + target.architecture(),
                    "write .noComplete, or arrive once for each",
                    binding);
        }
    }

    /// An arrival at a barrier of another CTA returns no state (PTX ISA 9.7.13.15.13).
    private void remoteArrival(GenericInstruction instruction, FormMatch binding) {
        if (instruction.has("shared::cluster")
                && binding.form().operands().getFirst().isDestination()
                && !(instruction.operands().getFirst() instanceof Operand.Sink)) {
            report(
                    Rule.MISSING_SINK,
                    instruction,
                    instruction.operands().getFirst(),
                    instruction.mnemonic() + " returns no state; '_' stands here",
                    "write _ as first operand, or .shared::cta for a barrier of this CTA",
                    binding);
        }
    }

    private void copySize(GenericInstruction instruction, FormMatch binding, String head) {
        if (!head.equals("cp.async")) {
            return;
        }
        Long size = constant(instruction, 2);
        boolean good =
                size == null || size == 16 || (!instruction.has("cg") && (size == 4 || size == 8));
        if (!good) {
            report(
                    Rule.WRONG_COPY_SIZE,
                    instruction,
                    instruction.operands().get(2),
                    size
                            + " bytes; "
                            + (instruction.has("cg") ? ".cg copies 16" : ".ca copies 4, 8 or 16"),
                    instruction.has("cg") ? "write 16, or .ca" : "write 4, 8 or 16",
                    binding);
        }
        boolean ignoring =
                instruction.operands().size() > 3
                        && instruction.operands().get(3) instanceof Operand.Register register
                        && register.declaration() != null
                        && register.declaration().type() == ScalarType.PRED;
        if (ignoring && !module.version().atLeast(IGNORED_SOURCE)) {
            report(
                    Rule.VERSION_TOO_LOW,
                    instruction,
                    instruction.operands().get(3),
                    "a predicate that says to ignore the source needs PTX 7.5; the module says"
                            + " .version "
                            + module.version(),
                    "write .version 7.5 or later, or give a source size",
                    binding);
        }
        int shared = -1;
        int global = -1;
        for (int i = 0; i < instruction.qualifiers().size(); i++) {
            String word = instruction.qualifiers().get(i);
            shared = word.startsWith("shared") ? i : shared;
            global = word.equals("global") ? i : global;
        }
        if (shared > global) {
            report(
                    Rule.WRONG_STATE_SPACE,
                    instruction,
                    instruction.operands().getFirst(),
                    "cp.async copies from .global to .shared; the order says the opposite",
                    "write .shared.global",
                    binding);
        }
    }

    /// `.sat` between integers stands only where the destination cannot hold every value.
    private void saturation(GenericInstruction instruction, FormMatch binding) {
        String to = binding.word("narrow");
        String from = binding.word("wider");
        if (to == null || from == null) {
            return;
        }
        ScalarType destination = ScalarType.of(to);
        ScalarType source = ScalarType.of(from);
        if (destination == null || source == null) {
            return;
        }
        boolean same = destination.kind() == source.kind();
        boolean holds =
                same
                        ? destination.bits() >= source.bits()
                        : source.kind() == ScalarType.Kind.UNSIGNED
                                && destination.bits() > source.bits();
        if (holds) {
            report(
                    Rule.QUALIFIER_NOT_ALLOWED,
                    instruction,
                    null,
                    ".sat in " + instruction.mnemonic() + ": ." + to + " holds every ." + from,
                    "leave .sat out",
                    binding);
        }
    }

    /// `mad.f32` has no rounding before sm_20, and needs one from sm_20 on; ptxas 13.0 asks for it
    /// from PTX 3.2 on.
    private void rounding(GenericInstruction instruction, FormMatch binding) {
        if (binding.form().kind() != InstructionKind.FUSED_MULTIPLY_ADD
                || binding.lastType() != ScalarType.F32) {
            return;
        }
        String rounding = binding.word("rnd");
        if (rounding == null && target.isAtLeast(20) && module.version().atLeast(ROUNDED)) {
            report(
                    Rule.MISSING_QUALIFIER,
                    instruction,
                    null,
                    instruction.mnemonic() + " lacks .rm, .rn, .rp or .rz",
                    "write for example " + instruction.mnemonic().replaceFirst("mad", "mad.rn"),
                    binding);
        } else if (rounding != null && !target.isAtLeast(20)) {
            report(
                    Rule.QUALIFIER_NOT_ALLOWED,
                    instruction,
                    null,
                    "." + rounding + " in " + instruction.mnemonic() + " needs sm_20 or higher",
                    "leave it out",
                    binding);
        }
    }

    private void synchronous(GenericInstruction instruction, FormMatch binding) {
        if (!instruction.has("sync") && target.isAtLeast(70) && module.version().atLeast(REMOVED)) {
            report(
                    Rule.MISSING_SYNC,
                    instruction,
                    null,
                    instruction.mnemonic()
                            + " without .sync was removed in PTX 6.4 for sm_70 and higher",
                    "write " + instruction.opcode() + ".sync and a membermask as last operand",
                    binding);
        }
    }

    /// Vectors of memory instructions hold at most 128 bits, or 256 of global memory from sm_100
    /// on.
    private void width(GenericInstruction instruction, FormMatch binding) {
        ScalarType type = binding.lastType();
        String vec = binding.word(instruction.opcode().equals("mov") ? "pair" : "vec");
        if (type == null || vec == null) {
            return;
        }
        int bits = type.bits() * binding.vector();
        boolean wide =
                bits == 256
                        && !instruction.opcode().equals("mov")
                        && target.isAtLeast(100)
                        && module.version().atLeast(WIDE)
                        && (binding.space() == null || "global".equals(binding.space()))
                        && type.bits() >= 32;
        if (bits > 128 && !wide) {
            report(
                    Rule.VECTOR_TOO_WIDE,
                    instruction,
                    null,
                    "."
                            + vec
                            + "."
                            + type.keyword()
                            + " moves "
                            + bits
                            + " bits; at most 128"
                            + " (256 of global memory from PTX 8.8 and sm_100 on)",
                    "split it into two instructions",
                    binding);
        }
    }

    private void move(GenericInstruction instruction, FormMatch binding) {
        if (instruction.operands().size() != 2) {
            return;
        }
        Operand source = instruction.operands().get(1);
        if (instruction.operands().getFirst() instanceof Operand.Vector
                && source instanceof Operand.Vector
                && binding.vector() == 1) {
            report(
                    Rule.WRONG_VECTOR_SIZE,
                    instruction,
                    source,
                    "mov packs or unpacks, not both at once",
                    "go through a scalar register, or use mov.v2",
                    binding);
        }
        ScalarType type = binding.lastType();
        if (type != null
                && type.bits() == 32
                && source instanceof Operand.Symbol symbol
                && symbol.variable() != null
                && symbol.variable().space() == StateSpace.GLOBAL) {
            narrow(instruction, source, binding);
        }
    }

    private void narrow(GenericInstruction instruction, Operand operand, FormMatch binding) {
        if (module.addressSize() == 64) {
            report(
                    Rule.WRONG_ADDRESS_WIDTH,
                    instruction,
                    operand,
                    "an address of 32 bits in "
                            + instruction.mnemonic()
                            + "; the module says .address_size 64",
                    "use a .b64 register",
                    binding);
        }
    }

    /// Global and generic addresses have the module's address size; parameters keep to their side.
    private void addresses(GenericInstruction instruction, FormMatch binding) {
        List<Operand> operands = instruction.operands();
        for (int i = 0; i < operands.size(); i++) {
            if (!(operands.get(i) instanceof Operand.Address(Operand base, _, _, _))) {
                continue;
            }
            String space = space(binding, i);
            if (base instanceof Operand.Register register
                    && register.declaration() != null
                    && register.declaration().type().bits() == 32
                    && (space == null || space.equals("global"))
                    && !instruction.opcode().equals("cp")
                    && binding.form().operands().stream().anyMatch(o -> o.kind() == Kind.ADDRESS)) {
                narrow(instruction, operands.get(i), binding);
            }
            if (instruction.opcode().equals("st")
                    && base instanceof Operand.Symbol symbol
                    && symbol.variable() != null
                    && isInput(symbol.variable())) {
                report(
                        Rule.WRITE_TO_PARAMETER,
                        instruction,
                        operands.get(i),
                        symbol.name() + " is an input parameter; it cannot be written",
                        "copy it into a register or a .local variable",
                        binding);
            }
        }
    }

    /// The space of one address operand, or null where any may be: `mbarrier.init.b64 [a]` takes a
    /// generic address of shared memory.
    private static @Nullable String space(FormMatch binding, int operand) {
        List<InstructionForm.OperandForm> places = binding.form().operands();
        String own = operand < places.size() ? places.get(operand).type() : "";
        return own.isEmpty() || binding.space() == null ? binding.space() : own;
    }

    private boolean isInput(Variable variable) {
        return variable.space() == StateSpace.PARAM
                && containsSame(function.parameters(), variable);
    }

    private static boolean containsSame(List<Variable> variables, Variable variable) {
        for (Variable candidate : variables) {
            if (candidate.position().equals(variable.position())) {
                return true;
            }
        }
        return false;
    }

    private void report(
            Rule rule,
            GenericInstruction instruction,
            @Nullable Operand operand,
            String message,
            String remedy,
            FormMatch binding) {
        reporter.invalid(
                rule,
                operand == null ? instruction.position() : operand.position(),
                operand == null ? instruction.mnemonic().length() : Words.width(operand),
                message,
                remedy,
                binding.form().section());
    }
}
