package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Instruction;
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
import dev.heddle.ptx.instruction.InstructionKind.Memory;

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
    private final OperandProblems problems;
    private final BarrierRules barriers;
    private final VideoRules video;
    private final CacheRules cache;

    InstructionRules(Module module, Function function, TargetDirective target, Reporter reporter) {
        this.module = module;
        this.function = function;
        this.target = target;
        problems = new OperandProblems(reporter);
        barriers = new BarrierRules(target, problems);
        video = new VideoRules(problems);
        this.cache = new CacheRules(reporter, module.version());
    }

    void check(Instruction instruction, FormMatch binding) {
        switch (binding.form().kind()) {
            case BARRIER, MEMORY_BARRIER, SET_REGISTERS -> barriers.check(instruction, binding);
            case PERFORMANCE_EVENT -> {
                if (!instruction.has("mask")) {
                    problems.range(instruction, binding, 0, 0, 15);
                }
            }
            case WARPGROUP_WAIT -> problems.range(instruction, binding, 0, 0, Long.MAX_VALUE);
            case ASYNC_COPY -> copy(instruction, binding);
            case CONVERT -> {
                saturation(instruction, binding);
                flushed(instruction, binding);
            }
            case FUSED_MULTIPLY_ADD -> rounding(instruction, binding);
            case EXCHANGE_WITHOUT_SYNC -> synchronous(instruction, binding);
            case MOVE -> move(instruction, binding);
            case UPDATE_MEMORY -> {
                if (instruction.has("replace")) {
                    problems.range(instruction, binding, 1, 0, lastValue(binding));
                }
            }
            case LOAD, STORE, ASYNC_STORE, ATOMIC, REDUCE, ASYNC_REDUCE ->
                    cache.check(instruction, binding);
            case VIDEO, VIDEO_SHIFT -> video.merge(instruction, binding);
            case VIDEO_MULTIPLY_ADD -> video.negation(instruction, binding);
            default -> {}
        }
        width(instruction, binding);
        addresses(instruction, binding);
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

    private void copy(Instruction instruction, FormMatch binding) {
        copySize(instruction, binding);
        ignoredSource(instruction, binding);
        copyDirection(instruction, binding);
    }

    private void copySize(Instruction instruction, FormMatch binding) {
        Long size = OperandProblems.constant(instruction, 2);
        boolean good =
                size == null || size == 16 || (!instruction.has("cg") && (size == 4 || size == 8));
        if (!good) {
            problems.report(
                    Rule.WRONG_COPY_SIZE,
                    instruction,
                    instruction.operands().get(2),
                    size
                            + " bytes; "
                            + (instruction.has("cg") ? ".cg copies 16" : ".ca copies 4, 8 or 16"),
                    instruction.has("cg") ? "write 16, or .ca" : "write 4, 8 or 16",
                    binding);
        }
    }

    private void ignoredSource(Instruction instruction, FormMatch binding) {
        boolean ignoring =
                instruction.operands().size() > 3
                        && instruction.operands().get(3) instanceof Operand.Register register
                        && register.declaration() != null
                        && register.declaration().type() == ScalarType.PRED;
        if (ignoring && !module.version().atLeast(IGNORED_SOURCE)) {
            problems.report(
                    Rule.VERSION_TOO_LOW,
                    instruction,
                    instruction.operands().get(3),
                    "a predicate that says to ignore the source needs PTX 7.5; the module says"
                            + " .version "
                            + module.version(),
                    "write .version 7.5 or later, or give a source size",
                    binding);
        }
    }

    private void copyDirection(Instruction instruction, FormMatch binding) {
        int shared = -1;
        int global = -1;
        for (int i = 0; i < instruction.qualifiers().size(); i++) {
            String word = instruction.qualifiers().get(i);
            shared = word.startsWith("shared") ? i : shared;
            global = word.equals("global") ? i : global;
        }
        if (shared > global) {
            problems.report(
                    Rule.WRONG_STATE_SPACE,
                    instruction,
                    instruction.operands().getFirst(),
                    "cp.async copies from .global to .shared; the order says the opposite",
                    "write .shared.global",
                    binding);
        }
    }

    /// `.sat` between integers is only where the destination cannot hold every value.
    private void saturation(Instruction instruction, FormMatch binding) {
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
            problems.report(
                    Rule.QUALIFIER_NOT_ALLOWED,
                    instruction,
                    null,
                    ".sat in " + instruction.mnemonic() + ": ." + to + " holds every ." + from,
                    "leave .sat out",
                    binding);
        }
    }

    /// ptxas 13.0 makes two instructions of one that flushes what was `.f64`; they take no `.b128`.
    private void flushed(Instruction instruction, FormMatch binding) {
        if (!instruction.has("ftz") || binding.lastType() != ScalarType.F64) {
            return;
        }
        for (Operand operand : instruction.operands()) {
            if (operand instanceof Operand.Register register
                    && register.declaration() != null
                    && register.declaration().type() == ScalarType.B128) {
                problems.report(
                        Rule.WRONG_OPERAND_TYPE,
                        instruction,
                        operand,
                        register
                                + " is .b128; "
                                + instruction.mnemonic()
                                + " takes 64 bits at most",
                        "use a .f32 or .f64 register",
                        binding);
            }
        }
    }

    /// `mad.f32` has no rounding before sm_20, and needs one from sm_20 on; ptxas 13.0 asks for it
    /// from PTX 3.2 on.
    private void rounding(Instruction instruction, FormMatch binding) {
        boolean optional =
                binding.form().slots().stream()
                        .anyMatch(slot -> slot.optional() && slot.name().equals("rnd"));
        if (!optional || binding.lastType() != ScalarType.F32) {
            return;
        }
        String rounding = binding.word("rnd");
        if (rounding == null && target.isAtLeast(20) && module.version().atLeast(ROUNDED)) {
            problems.report(
                    Rule.MISSING_QUALIFIER,
                    instruction,
                    null,
                    instruction.mnemonic() + " lacks .rm, .rn, .rp or .rz",
                    "write for example " + instruction.mnemonic().replaceFirst("mad", "mad.rn"),
                    binding);
        } else if (rounding != null && !target.isAtLeast(20)) {
            problems.report(
                    Rule.QUALIFIER_NOT_ALLOWED,
                    instruction,
                    null,
                    "." + rounding + " in " + instruction.mnemonic() + " needs sm_20 or higher",
                    "leave it out",
                    binding);
        }
    }

    private void synchronous(Instruction instruction, FormMatch binding) {
        if (target.isAtLeast(70) && module.version().atLeast(REMOVED)) {
            problems.report(
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
    private void width(Instruction instruction, FormMatch binding) {
        ScalarType type = binding.lastType();
        boolean moves = binding.form().kind() == InstructionKind.MOVE;
        String vec = binding.word(moves ? "pair" : "vec");
        if (type == null || vec == null) {
            return;
        }
        int bits = type.bits() * binding.vector();
        boolean wide =
                bits == 256
                        && !moves
                        && hasEight(binding, vec)
                        && target.isAtLeast(100)
                        && module.version().atLeast(WIDE)
                        && (binding.space() == null || "global".equals(binding.space()))
                        && (type.bits() == 32 || type.bits() == 64);
        if (bits > 128 && !wide) {
            problems.report(
                    Rule.VECTOR_TOO_WIDE,
                    instruction,
                    null,
                    ".%s.%s moves %s bits; at most 128 (256 of global memory from PTX 8.8 and sm_100 on)"
                            .formatted(vec, type.keyword(), bits),
                    "split it into two instructions",
                    binding);
        }
    }

    /// Whether the form has vectors of eight, as all have that move 256 bits.
    private static boolean hasEight(FormMatch binding, String vec) {
        return binding.form().slots().stream()
                .anyMatch(slot -> slot.choice(vec) != null && slot.choice("v8") != null);
    }

    private void move(Instruction instruction, FormMatch binding) {
        if (instruction.operands().size() != 2) {
            return;
        }
        Operand source = instruction.operands().get(1);
        if (instruction.operands().getFirst() instanceof Operand.Vector
                && source instanceof Operand.Vector
                && binding.vector() == 1) {
            problems.report(
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

    private void narrow(Instruction instruction, Operand operand, FormMatch binding) {
        if (module.addressSize() == 64) {
            problems.report(
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
    private void addresses(Instruction instruction, FormMatch binding) {
        List<Operand> operands = instruction.operands();
        for (int i = 0; i < operands.size(); i++) {
            if (!(operands.get(i) instanceof Operand.Address(Operand base, _, _, _, _))) {
                continue;
            }
            String space = space(binding, i);
            if (base instanceof Operand.Register register
                    && register.declaration() != null
                    && register.declaration().type().bits() == 32
                    && (space == null || space.equals("global"))
                    && binding.form().kind() != InstructionKind.ASYNC_COPY
                    && binding.form().operands().stream().anyMatch(o -> o.kind() == Kind.ADDRESS)) {
                narrow(instruction, operands.get(i), binding);
            }
            if (binding.form().kind().memory() == Memory.WRITES
                    && base instanceof Operand.Symbol symbol
                    && symbol.variable() != null
                    && isInput(symbol.variable())) {
                problems.report(
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
}
