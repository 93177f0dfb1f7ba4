package dev.heddle.tensorcore;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.isa.rule.Rule;
import dev.heddle.tensorcore.kernel.ExactElements;
import dev.heddle.tensorcore.kernel.Inputs;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.kernel.Microkernel;
import dev.heddle.tensorcore.kernel.Places;
import dev.heddle.tensorcore.kernel.Sparsity;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Numerics;
import dev.heddle.tensorcore.numerics.Trace;
import dev.heddle.tensorcore.x86.ProductFunction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Executes one form of a matrix instruction as one generation of GPUs does, bit for bit as far as
/// the [Accumulation] that it follows is known.
///
/// A tensor core has tables, made once, and buffers: it is for one thread at a time. [#fork] gives
/// another thread its own.
public final class TensorCore {

    /// What happens where the manual calls the behaviour undefined.
    public enum UndefinedInputs {
        /// An [UndefinedInputException].
        REFUSED,
        /// What an sm_90 was measured to do: equal indices pick the same element of B twice; a tf32
        /// nibble picks two 16-bit halves.
        AS_SM_90,
        /// The same, which is ASSUMED of other generations.
        BY_INDICES
    }

    /// One of the kernels: the same form with operands in other places.
    private record Variant(
            Operands.Majors majors,
            Operands.ScaleSelector selectA,
            Operands.ScaleSelector selectB) {
        /// Without block scaling, matrices K-major.
        static final Variant PLAIN =
                new Variant(
                        Operands.Majors.K,
                        Operands.ScaleSelector.ZERO,
                        Operands.ScaleSelector.ZERO);

        static Variant of(Operands operands) {
            return new Variant(
                    operands.majors(), operands.scales().selectA(), operands.scales().selectB());
        }

        /// Whether these operands need this kernel; asked before every instruction.
        boolean matches(Operands operands) {
            return operands.majors().equals(majors)
                    && operands.scales().selectA().equals(selectA)
                    && operands.scales().selectB().equals(selectB);
        }
    }

    private final Form form;
    private final Generation generation;
    private final Accumulation accumulation;
    private final RegisterOrder order;
    private final Speed speed;
    private final UndefinedInputs undefined;
    private final Optional<Metadata> metadata;
    private final OperandPlacements places;
    private final UnitAddresses matrices;
    // A form reads its words each time that it is asked
    private final int sharedWordsOfA;
    private final int sharedWordsOfB;
    private final Map<Variant, List<Unit>> units = new HashMap<>();
    private Variant lastVariant;
    private List<Unit> lastUnits;
    private final WarmUp warmUp;

    private TensorCore(
            Form form,
            Generation generation,
            Accumulation accumulation,
            RegisterOrder order,
            Speed speed,
            UndefinedInputs undefined) {
        this.form = form;
        this.generation = generation;
        this.accumulation = accumulation;
        this.order = order;
        this.speed = speed;
        this.undefined = undefined;
        this.metadata = form.metadata();
        this.warmUp = WarmUp.of(form, accumulation, speed);
        this.places = new OperandPlacements(form, order);
        this.matrices = new UnitAddresses(form);
        this.sharedWordsOfA = sharedWords(form, Role.A);
        this.sharedWordsOfB = sharedWords(form, Role.B);
        this.lastVariant = Variant.PLAIN;
        this.lastUnits = List.of();
    }

    /// A tensor core for registers in lane-major order that refuses undefined inputs.
    ///
    /// @throws InputException if the generation does not have the form
    public static TensorCore of(Form form, Generation generation) {
        Accumulation accumulation = Numerics.of(form, generation).orElse(null);
        if (accumulation == null) {
            throw new InputException(
                    "%s: not on %s, needs %s".formatted(form, generation, form.requirement()));
        }
        return new TensorCore(
                form,
                generation,
                accumulation,
                RegisterOrder.LANE_MAJOR,
                Speed.ADAPTIVE,
                UndefinedInputs.REFUSED);
    }

    /// The same for registers in another order.
    public TensorCore withOrder(RegisterOrder other) {
        return new TensorCore(form, generation, accumulation, other, speed, undefined);
    }

    /// The same by another way of computing; all give the same bits.
    public TensorCore withSpeed(Speed other) {
        return new TensorCore(form, generation, accumulation, order, other, undefined);
    }

    /// The same for undefined inputs.
    ///
    /// @throws InputException if it is asked to do as sm_90, and is not one
    public TensorCore withUndefinedInputs(UndefinedInputs other) {
        if (other == UndefinedInputs.AS_SM_90 && generation != Generation.SM_90) {
            throw new InputException(
                    "undefined inputs are known of sm_90 only, not of " + generation);
        }
        return new TensorCore(form, generation, accumulation, order, speed, other);
    }

    /// The same with buffers of its own.
    public TensorCore fork() {
        return new TensorCore(form, generation, accumulation, order, speed, undefined);
    }

    public Form form() {
        return form;
    }

    public Generation generation() {
        return generation;
    }

    /// The rule it follows, with the evidence for it.
    public Accumulation accumulation() {
        return accumulation;
    }

    /// Words of a register operand over all lanes.
    ///
    /// @throws InputException for B of wgmma
    public int words(Role role) {
        Fragment fragment = form.fragment(role);
        return fragment.lanes() * fragment.registers() * fragment.registerBits() / Integer.SIZE;
    }

    /// Words that a matrix in shared memory comes to.
    public int sharedWords(Role role) {
        return role == Role.A ? sharedWordsOfA : sharedWordsOfB;
    }

    private static int sharedWords(Form form, Role role) {
        int elements =
                role == Role.A
                        ? form.shape().m() * form.storedColumns()
                        : form.shape().n() * form.shape().k();
        return elements * form.type(role).bits() / Integer.SIZE;
    }

    /// Copies A or B out of shared memory, for [Operands].
    ///
    /// K-major, the words are those of row (column of B) 0 along k, then those of row 1. MN-major,
    /// they are those of k = 0 along the rows, then those of k = 1.
    public void load(
            Role role, MatrixDescriptor descriptor, Major major, SharedMemory memory, int[] words) {
        matrices.load(role, descriptor, major, memory, words);
    }

    /// The machine code that computes a product from registers, for machine code that calls it;
    /// where the form has one that does all of it.
    ///
    /// @param a which scale factors of A, where there are some
    /// @param b which of B
    public Optional<ProductFunction> function(Operands.ScaleSelector a, Operands.ScaleSelector b) {
        if (!isInTable(Role.A, a) || !isInTable(Role.B, b)) {
            return Optional.empty();
        }
        Variant variant = new Variant(Operands.Majors.K, a, b);
        List<Unit> parts = units.computeIfAbsent(variant, this::build);
        return parts.size() == 1 ? parts.getFirst().function() : Optional.empty();
    }

    /// Executes the instruction.
    ///
    /// @param d receives the registers of D; may be the array of C
    /// @throws UndefinedInputException if an input is undefined and refused; nothing is written
    public void execute(Operands operands, int[] d) {
        checkSelectors(operands);
        List<Unit> parts = units(operands);
        Inputs in = inputs(operands);
        boolean plainly = false;
        for (Unit unit : parts) {
            if (!unit.runAsMachineCode(in, operands, d)) {
                plainly = warmUp.isPlain();
                boolean done =
                        plainly
                                ? unit.runPlainly(in, operands, d)
                                : unit.runByColumns(in, operands, d);
                if (!done) {
                    run(unit, in, operands.metadata(), operands.selector(), d);
                }
            }
        }
        if (plainly) {
            warmUp.count();
        }
    }

    /// How one element of D comes about: its terms, what alignment keeps of them, and every
    /// rounding. The last result is the element that [#execute] gives.
    ///
    /// @param row    of D; where a form computes several products, of their D below each other
    /// @param column of D
    /// @throws UndefinedInputException   as [#execute] does
    /// @throws IndexOutOfBoundsException if D has no such row or column
    public Trace trace(Operands operands, int row, int column) {
        int m = form.shape().m();
        Objects.checkIndex(row, m * form.fragment(Role.D).computations());
        Objects.checkIndex(column, form.shape().n());
        checkSelectors(operands);
        checkFactors(Variant.of(operands));
        Places where =
                places.registers(
                        row / m,
                        operands.majors(),
                        operands.scales().selectA(),
                        operands.scales().selectB());
        Optional<Sparsity> sparsity = Unit.sparsity(form, where);
        readMetadata(sparsity, operands.metadata(), operands.selector());
        return ExactElements.of(form, accumulation, where, sparsity)
                .trace(inputs(operands), row % m, column);
    }

    private static Inputs inputs(Operands operands) {
        return new Inputs(
                operands.a(),
                operands.b(),
                operands.c(),
                operands.immediates().accumulate(),
                operands.immediates().negateA() != operands.immediates().negateB(),
                operands.scales().a(),
                operands.scales().b());
    }

    private void run(Unit unit, Inputs in, int[] words, int selector, int[] d) {
        // The kernel says in which order it wants the metadata
        Microkernel kernel = unit.kernel();
        boolean legal = readMetadata(unit.sparsity(), words, selector);
        (legal ? kernel : unit.irregular()).run(in, d);
    }

    /// Reads the metadata, if there are any.
    ///
    /// @return whether the manual defines them
    private boolean readMetadata(Optional<Sparsity> sparsity, int[] words, int selector) {
        boolean legal = sparsity.isEmpty() || sparsity.get().read(words, selector);
        if (!legal && undefined == UndefinedInputs.REFUSED) {
            throw illegalMetadata(sparsity.get(), selector);
        }
        return legal;
    }

    private List<Unit> units(Operands operands) {
        if (lastUnits.isEmpty() || !lastVariant.matches(operands)) {
            Variant variant = Variant.of(operands);
            lastUnits = units.computeIfAbsent(variant, this::checkAndBuild);
            lastVariant = variant;
        }
        return lastUnits;
    }

    private List<Unit> checkAndBuild(Variant variant) {
        checkFactors(variant);
        return build(variant);
    }

    private List<Unit> build(Variant variant) {
        List<Unit> parts = new ArrayList<>();
        int computations = form.fragment(Role.D).computations();
        for (int computation = 0; computation < computations; computation++) {
            Places where =
                    places.registers(computation, variant.majors, variant.selectA, variant.selectB);
            parts.add(new Unit(form, accumulation, where, speed));
        }
        return parts;
    }

    private void checkSelectors(Operands operands) {
        if (metadata.isPresent()) {
            int selectors = metadata.get().selectors();
            if (operands.selector() < 0 || operands.selector() >= selectors) {
                throw new UndefinedInputException(
                        Rule.SELECTOR_NAMES_NO_THREAD_PAIR,
                        "sparsity selector %d, allowed: 0..%d"
                                .formatted(operands.selector(), selectors - 1));
            }
        }
    }

    private void checkFactors(Variant variant) {
        form.scaleFactors(Role.A).ifPresent(factors -> check(factors, variant.selectA));
        form.scaleFactors(Role.B).ifPresent(factors -> check(factors, variant.selectB));
    }

    private boolean isInTable(Role role, Operands.ScaleSelector select) {
        return form.scaleFactors(role).map(factors -> isInTable(factors, select)).orElse(true);
    }

    private static boolean isInTable(ScaleFactors factors, Operands.ScaleSelector select) {
        return factors.byteIds().contains(select.byteId())
                && factors.threadIds().contains(select.threadId());
    }

    private static void check(ScaleFactors factors, Operands.ScaleSelector select) {
        if (!isInTable(factors, select)) {
            throw new UndefinedInputException(
                    Rule.SCALE_SELECTOR_OUT_OF_TABLE,
                    "scale selector of %s is {%d, %d}, allowed: {%s, %s}"
                            .formatted(
                                    factors.role(),
                                    select.byteId(),
                                    select.threadId(),
                                    factors.byteIds(),
                                    factors.threadIds()));
        }
    }

    private UndefinedInputException illegalMetadata(Sparsity sparsity, int selector) {
        Metadata sparse = metadata.orElseThrow();
        for (int row = 0; row < sparsity.rows(); row++) {
            for (int chunk = 0; chunk < sparsity.chunks(); chunk++) {
                int nibble = sparsity.nibble(row, chunk);
                if (!sparsity.legal(nibble)) {
                    Metadata.Nibble at = sparse.nibble(new Metadata.Chunk(row, chunk), selector);
                    String bits = Integer.toBinaryString(nibble | 16).substring(1);
                    return new UndefinedInputException(
                            sparse.granularity().brokenBy(nibble),
                            "row %d, chunk %d of A has metadata 0b%s (lane %d, bits %d..%d)"
                                    .formatted(
                                            row,
                                            chunk,
                                            bits,
                                            at.lane(),
                                            at.bitHigh(),
                                            at.bitLow()));
                }
            }
        }
        throw new IllegalStateException("metadata that were illegal are legal");
    }
}
