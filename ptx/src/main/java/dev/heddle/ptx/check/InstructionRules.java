package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
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
///
/// @param at the instruction
record InstructionRules(Context context, InstructionProblems at) {
    private static final PtxVersion ROUNDED = new PtxVersion(3, 2);
    private static final PtxVersion REMOVED = new PtxVersion(6, 4);
    private static final PtxVersion IGNORED_SOURCE = new PtxVersion(7, 5);
    private static final PtxVersion WIDE = new PtxVersion(8, 8);

    void check() {
        switch (at.binding().form().kind()) {
            case BARRIER -> barriers().barrier();
            case SET_REGISTERS -> barriers().registers();
            case MEMORY_BARRIER -> {
                barriers().remoteArrival();
                barriers().arrivals();
            }
            case PERFORMANCE_EVENT -> {
                if (!at.has("mask")) {
                    at.range(0, 0, 15);
                }
            }
            case WARPGROUP_WAIT -> at.range(0, 0, Long.MAX_VALUE);
            case ASYNC_COPY -> {
                copySize();
                ignoredSource();
                copyDirection();
            }
            case CONVERT -> {
                saturation();
                flushed();
            }
            case FUSED_MULTIPLY_ADD -> rounding();
            case EXCHANGE_WITHOUT_SYNC -> synchronous();
            case MOVE -> move();
            case UPDATE_MEMORY -> {
                if (at.has("replace")) {
                    at.range(1, 0, lastValue());
                }
            }
            case LOAD, STORE, ASYNC_STORE, ATOMIC, REDUCE, ASYNC_REDUCE ->
                    new CacheRules(context.version(), at).check();
            case VIDEO, VIDEO_SHIFT -> new VideoRules(at).merge();
            case VIDEO_MULTIPLY_ADD -> new VideoRules(at).negation();
            default -> {}
        }
        width();
        addresses();
    }

    private BarrierRules barriers() {
        return new BarrierRules(context.target(), at);
    }

    /// The largest value of a field of a tensor map, or the largest dimension (PTX ISA 9.7.9.28).
    private long lastValue() {
        String kind = at.binding().word("kind");
        return kind == null
                ? 4
                : switch (kind) {
                    case "elemtype" -> context.target().isAtLeast(100) ? 15 : 12;
                    case "interleave_layout" -> 2;
                    case "fill_mode" -> 1;
                    default -> 3;
                };
    }

    private void copySize() {
        Long size = at.constant(2);
        if (size == null || size == 16) {
            return;
        }
        if (at.has("cg")) {
            at.report("wrong-copy-size.l2", at.operand(2), size);
        } else if (size != 4 && size != 8) {
            at.report("wrong-copy-size", at.operand(2), size);
        }
    }

    private void ignoredSource() {
        boolean ignoring =
                at.instruction().operands().size() > 3
                        && at.operand(3) instanceof Operand.Register register
                        && register.declaration() != null
                        && register.declaration().type() == ScalarType.PRED;
        if (ignoring && !context.version().atLeast(IGNORED_SOURCE)) {
            at.report("version-too-low.ignored-source", at.operand(3), context.version());
        }
    }

    private void copyDirection() {
        int shared = -1;
        int global = -1;
        for (int i = 0; i < at.instruction().qualifiers().size(); i++) {
            String word = at.instruction().qualifiers().get(i);
            shared = word.startsWith("shared") ? i : shared;
            global = word.equals("global") ? i : global;
        }
        if (shared > global) {
            at.report("wrong-state-space.copy", at.operand(0));
        }
    }

    /// `.sat` between integers is only where the destination cannot hold every value.
    private void saturation() {
        String to = at.binding().word("narrow");
        String from = at.binding().word("wider");
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
            at.report("qualifier-not-allowed.saturation", at.instruction(), to, from);
        }
    }

    /// ptxas 13.0 makes two instructions of one that flushes what was `.f64`; they take no `.b128`.
    private void flushed() {
        if (!at.has("ftz") || at.binding().lastType() != ScalarType.F64) {
            return;
        }
        for (Operand operand : at.instruction().operands()) {
            if (operand instanceof Operand.Register register
                    && register.declaration() != null
                    && register.declaration().type() == ScalarType.B128) {
                at.report("wrong-operand-type.b128", register, at.instruction());
            }
        }
    }

    /// `mad.f32` has no rounding before sm_20, and needs one from sm_20 on; ptxas 13.0 asks for it
    /// from PTX 3.2 on.
    private void rounding() {
        boolean optional =
                at.binding().form().slots().stream()
                        .anyMatch(slot -> slot.optional() && slot.name().equals("rnd"));
        if (!optional || at.binding().lastType() != ScalarType.F32) {
            return;
        }
        String rounding = at.binding().word("rnd");
        boolean rounds = context.target().isAtLeast(20);
        if (rounding == null && rounds && context.version().atLeast(ROUNDED)) {
            String example = at.instruction().mnemonic().replaceFirst("mad", "mad.rn");
            at.report("missing-qualifier.rounding", at.instruction(), example);
        } else if (rounding != null && !rounds) {
            at.report("qualifier-not-allowed.rounding", at.instruction(), rounding);
        }
    }

    private void synchronous() {
        if (context.target().isAtLeast(70) && context.version().atLeast(REMOVED)) {
            at.report("missing-sync", at.instruction(), at.instruction().opcode());
        }
    }

    /// Vectors of memory instructions hold at most 128 bits, or 256 of global memory from sm_100
    /// on.
    private void width() {
        FormMatch binding = at.binding();
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
                        && hasEight(vec)
                        && context.target().isAtLeast(100)
                        && context.version().atLeast(WIDE)
                        && (binding.space() == null || "global".equals(binding.space()))
                        && (type.bits() == 32 || type.bits() == 64);
        if (bits > 128 && !wide) {
            at.report("vector-too-wide", at.instruction(), vec, type, bits);
        }
    }

    /// Whether the form has vectors of eight, as all have that move 256 bits.
    private boolean hasEight(String vec) {
        return at.binding().form().slots().stream()
                .anyMatch(slot -> slot.choice(vec) != null && slot.choice("v8") != null);
    }

    private void move() {
        if (at.instruction().operands().size() != 2) {
            return;
        }
        Operand source = at.operand(1);
        if (at.operand(0) instanceof Operand.Vector
                && source instanceof Operand.Vector
                && at.binding().vector() == 1) {
            at.report("wrong-vector-size.move", source);
        }
        ScalarType type = at.binding().lastType();
        if (type != null
                && type.bits() == 32
                && source instanceof Operand.Symbol symbol
                && symbol.variable() != null
                && symbol.variable().space() == StateSpace.GLOBAL) {
            narrow(source);
        }
    }

    private void narrow(Operand operand) {
        if (context.module().addressSize() == 64) {
            at.report("wrong-address-width", operand, at.instruction());
        }
    }

    /// Global and generic addresses have the module's address size; parameters keep to their side.
    private void addresses() {
        InstructionForm form = at.binding().form();
        for (int i = 0; i < at.instruction().operands().size(); i++) {
            if (!(at.operand(i) instanceof Operand.Address(Operand base, _, _, _, _))) {
                continue;
            }
            String space = space(i);
            if (base instanceof Operand.Register register
                    && register.declaration() != null
                    && register.declaration().type().bits() == 32
                    && (space == null || space.equals("global"))
                    && form.kind() != InstructionKind.ASYNC_COPY
                    && form.operands().stream().anyMatch(o -> o.kind() == Kind.ADDRESS)) {
                narrow(at.operand(i));
            }
            if (form.kind().memory() == Memory.WRITES
                    && base instanceof Operand.Symbol symbol
                    && symbol.variable() != null
                    && isInput(symbol.variable())) {
                at.report("write-to-parameter", at.operand(i), symbol.name());
            }
        }
    }

    /// The space of one address operand, or null where any may be: `mbarrier.init.b64 [a]` takes a
    /// generic address of shared memory.
    private @Nullable String space(int operand) {
        List<InstructionForm.OperandForm> places = at.binding().form().operands();
        String own = operand < places.size() ? places.get(operand).type() : "";
        String space = at.binding().space();
        return own.isEmpty() || space == null ? space : own;
    }

    private boolean isInput(Variable variable) {
        return variable.space() == StateSpace.PARAM
                && context.function().parameters().stream()
                        .anyMatch(one -> one.position().equals(variable.position()));
    }
}
