package dev.heddle.vm.collective;

import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.isa.rule.Rule;
import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.SharedMemory;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.UndefinedInputException;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Collective.Multiplicand;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.sanitizer.WarpgroupOperands;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.Footprint;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.TensorCores;
import dev.heddle.vm.state.TensorCores.Operand;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Computes the products of a warpgroup. The registers of its warps are one warp after the other.
final class WarpgroupUnit {
    private static final int LANES = 32 * Warpgroup.WARPS;

    /// Steps that a product takes as long as, before it is compiled.
    private static final int PRODUCT_WEIGHT = 4096;

    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

    private final Cta cta;
    private final Sanitizer sanitizer;
    private final SharedMemory shared;

    // Of the product: what it reads, and what of a matrix that was not met before is.
    private final List<Footprint> footprints = new ArrayList<>();
    private @Nullable MatrixReads reads;
    private int[] a = {};
    private int[] b = {};
    private final int[] metadata = new int[LANES];
    private final @Nullable WarpgroupOperands undefined;

    WarpgroupUnit(Cta cta, Sanitizer sanitizer) {
        this.sanitizer = sanitizer;
        this.cta = cta;
        undefined = WarpgroupOperands.of(cta, sanitizer);
        MemorySegment segment = cta.shared();
        shared =
                (address, words, from, count) -> {
                    MemorySegment.copy(segment, WORD, address, words, from, count);
                    if (reads != null) {
                        reads.read(address, from, count);
                    }
                };
    }

    /// Copies the registers of one warp to where they are among those of the warpgroup.
    ///
    /// @param warp its place in the warpgroup
    static void gather(Frame frame, int warp, List<? extends Source> from, int[] into) {
        int at = 32 * from.size() * warp;
        for (int i = 0; i < from.size(); ) {
            int count = 1;
            if (from.get(i) instanceof Register register) {
                count = neighbours(from, i, register.index());
                System.arraycopy(frame.words, 32 * register.index(), into, at, 32 * count);
            } else {
                java.util.Arrays.fill(into, at, at + 32, (int) frame.value(from.get(i), 0));
            }
            at += 32 * count;
            i += count;
        }
    }

    /// How many registers from this one on are one after the other in a frame.
    private static int neighbours(List<? extends Source> all, int first, int index) {
        int count = 1;
        while (first + count < all.size()
                && all.get(first + count) instanceof Register next
                && next.index() == index + count) {
            count++;
        }
        return count;
    }

    /// Copies the registers of one warp back.
    static void scatter(Frame frame, int warp, List<Register> into, int[] from) {
        int at = 32 * into.size() * warp;
        for (int i = 0; i < into.size(); ) {
            int index = into.get(i).index();
            int count = neighbours(into, i, index);
            System.arraycopy(from, at, frame.words, 32 * index, 32 * count);
            at += 32 * count;
            i += count;
        }
    }

    /// D = A * B + D.
    ///
    /// @param frames of the four warps
    /// @param d the accumulator, which receives the result
    /// @param group that the product belongs to
    void multiply(Frame[] frames, Site site, Collective.MultiplyAsync step, int[] d, int group) {
        Warp warp = frames[0].warp;
        cta.counters().weigh(PRODUCT_WEIGHT);
        TensorCore core = WarpUnit.core(warp, step.form(), site, -1);
        footprints.clear();
        if (undefined != null) {
            undefined.begin(step.form());
        }
        try {
            core.execute(operands(frames, site, step, core, d), d);
        } catch (UndefinedInputException e) {
            throw warp.faults().undefined(e.rule(), site, -1, WarpUnit.found(e));
        }
        if (cta.grid().checked()) {
            sanitizer.began(operation(warp, site, step, group));
        }
        if (undefined != null) {
            undefined.spoil(frames, site, step);
        }
    }

    private Operands operands(
            Frame[] frames, Site site, Collective.MultiplyAsync step, TensorCore core, int[] d) {
        Major majorA = Major.K;
        switch (step.a()) {
            case Multiplicand.InRegisters in -> {
                a = sized(a, LANES * in.registers().size());
                for (int warp = 0; warp < Warpgroup.WARPS; warp++) {
                    gather(frames[warp], warp, in.registers(), a);
                }
            }
            case Multiplicand.Described described -> {
                a = sized(a, core.sharedWords(Role.A));
                load(core, Role.A, frames, site, described, a);
                majorA = described.major();
            }
        }
        b = sized(b, core.sharedWords(Role.B));
        load(core, Role.B, frames, site, step.b(), b);
        Operands operands =
                Operands.of(a, b, d)
                        .withImmediates(
                                uniform(frames, site, step.scaleD(), "scale-d") != 0,
                                step.a().negated(),
                                step.b().negated())
                        .withMajors(majorA, step.b().major());
        Collective.Metadata sparse = step.metadata();
        if (sparse == null) {
            return operands;
        }
        for (int warp = 0; warp < Warpgroup.WARPS; warp++) {
            gather(frames[warp], warp, List.of(sparse.word().source()), metadata);
        }
        return operands.withMetadata(metadata, sparse.selector());
    }

    private static int[] sized(int[] words, int count) {
        return words.length >= count ? words : new int[count];
    }

    private void load(
            TensorCore core,
            Role role,
            Frame[] frames,
            Site site,
            Multiplicand.Described matrix,
            int[] words) {
        long bits = uniform(frames, site, matrix.descriptor(), "the descriptor of " + role);
        MatrixDescriptor descriptor = MatrixDescriptor.decode(bits);
        TensorCores cores = cta.tensorCores();
        Operand operand = new Operand(core, role, matrix.major(), bits);
        Footprint known = cta.grid().checked() ? cores.footprint(operand) : null;
        reads =
                cta.grid().checked() && known == null
                        ? new MatrixReads(core.form(), role, matrix.major())
                        : null;
        try {
            core.load(role, descriptor, matrix.major(), shared, words);
            if (reads != null) {
                known = reads.footprint();
                cores.keep(operand, known);
            }
            if (known != null) {
                footprints.add(known);
                if (undefined != null) {
                    undefined.look(
                            core,
                            site,
                            new WarpgroupOperands.Matrix(
                                    role,
                                    descriptor,
                                    matrix.major(),
                                    known.bytes(),
                                    words,
                                    frames[0].warp.index()));
                }
            }
        } catch (IndexOutOfBoundsException _) {
            throw frames[0]
                    .warp
                    .faults()
                    .undefined(
                            Rule.OUT_OF_BOUNDS,
                            "9.7.15.5.1",
                            site,
                            -1,
                            "matrix %s, whose descriptor is 0x%016x (%s), reaches beyond the %d bytes of shared memory that the CTA has"
                                    .formatted(role, bits, descriptor, cta.grid().shared().end()));
        }
    }

    /// An operand that must be the same in all threads.
    private static long uniform(Frame[] frames, Site site, Source source, String what) {
        long value = frames[0].value(source, 0);
        if (!(source instanceof Register register) || !frames[0].warp.checksLanes()) {
            return value;
        }
        for (Frame frame : frames) {
            int others = frame.lanesOtherThan(value, register);
            if (others != 0) {
                throw frame.warp
                        .faults()
                        .undefined(
                                Rule.NON_UNIFORM_OPERAND,
                                site,
                                others,
                                "%s of %s is another than in the first thread of the warpgroup, which has 0x%x"
                                        .formatted(what, site.mnemonic(), value));
            }
        }
        return value;
    }

    private AsyncOperation operation(
            Warp warp, Site site, Collective.MultiplyAsync step, int group) {
        List<Register> sources = new ArrayList<>();
        if (step.a() instanceof Multiplicand.InRegisters in) {
            for (Source source : in.registers()) {
                if (source instanceof Register register) {
                    sources.add(register);
                }
            }
        }
        return new AsyncOperation(
                site,
                warp.thread(0),
                footprints,
                List.of(),
                0,
                sources,
                step.d(),
                new AsyncOperation.Completion.WgmmaGroup(warp.index() / Warpgroup.WARPS, group));
    }

    /// A warp has waited.
    ///
    /// @param group it and those before it are over
    void waited(int warp, int group) {
        sanitizer.waited(
                32 * warp, new AsyncOperation.Completion.WgmmaGroup(warp / Warpgroup.WARPS, group));
    }
}
