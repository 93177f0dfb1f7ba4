package dev.heddle.vm.collective;

import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.vm.ir.Collective.Multiplicand;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.Footprint;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// The shared memory that a product of `wgmma` reads, and for which warp.
///
/// A warp holds 16 rows of D (PTX ISA 9.7.15.5.1.1) and executes the instruction by itself: `.sync`
/// makes it wait for its own threads alone. So its part of the product reads the same 16 rows of A,
/// and all of B. The manual deals A so in registers, and does not say it of A in shared memory, but
/// FlashAttention-3 counts on it: a warp multiplies by rows that it has just written, behind
/// `__syncwarp`. On an H100 all four warps meet at a product, which the manual does not promise.
///
/// A kernel multiplies the same few places again and again: what an operand of an instruction with
/// one descriptor covers is worked out once.
final class MatrixReads {
    private static final int WORD = 4;

    /// Descriptors that are kept of an operand.
    private static final int MOST = 256;

    private final int rank;
    private final Map<Multiplicand.Described, Map<Long, Footprint>> known = new IdentityHashMap<>();
    private final List<Footprint> product = new ArrayList<>();

    // Of the matrix that is read, where it is not known: by warp, the words that only its part
    // reads, and those that all read; words of a line, or of all rows of a warp where lines are
    // rows.
    private final BitSet[] rows = new BitSet[Warpgroup.WARPS];
    private final BitSet shared = new BitSet();
    private boolean isRecorded;
    private boolean isOfAll;
    private int line;

    /// @param rank of the CTA in its cluster
    MatrixReads(int rank) {
        this.rank = rank;
        java.util.Arrays.setAll(rows, warp -> new BitSet());
    }

    /// A product begins.
    void clear() {
        product.clear();
    }

    /// A matrix is about to be read.
    ///
    /// @param descriptor its bits
    void begin(Form form, Role role, Multiplicand.Described matrix, long descriptor) {
        Map<Long, Footprint> own = known.computeIfAbsent(matrix, _ -> new HashMap<>());
        Footprint footprint = own.get(descriptor);
        isRecorded = footprint == null;
        if (footprint != null) {
            product.add(footprint);
            return;
        }
        shared.clear();
        for (BitSet each : rows) {
            each.clear();
        }
        isOfAll = role != Role.A;
        int bits = form.shape().m() * form.type(role).bits();
        boolean isByRows = matrix.major() == Major.K;
        line = isOfAll ? 0 : (isByRows ? bits * form.storedColumns() : bits) / Integer.SIZE;
    }

    /// Words of it are read.
    ///
    /// @param address in bytes
    /// @param at where the first is among the words of the matrix
    void read(int address, int at, int count) {
        if (isRecorded) {
            BitSet words = isOfAll ? shared : rows[at % line * Warpgroup.WARPS / line];
            words.set(address / WORD, address / WORD + count);
        }
    }

    /// All of it was read.
    void end(Multiplicand.Described matrix, long descriptor) {
        if (!isRecorded) {
            return;
        }
        List<Region> found = new ArrayList<>();
        for (int warp = 0; warp < Warpgroup.WARPS; warp++) {
            add(found, rows[warp], warp);
        }
        add(found, shared, Region.ALL);
        Map<Long, Footprint> own = known.computeIfAbsent(matrix, _ -> new HashMap<>());
        if (own.size() == MOST) {
            own.clear();
        }
        for (Footprint footprint : Footprint.of(found)) {
            own.put(descriptor, footprint);
            product.add(footprint);
        }
    }

    /// What the product reads.
    List<Footprint> footprints() {
        return product;
    }

    private void add(List<Region> found, BitSet words, int warp) {
        int from = words.nextSetBit(0);
        while (from >= 0) {
            int to = words.nextClearBit(from);
            long bytes = (long) WORD * (to - from);
            found.add(new Region(Space.SHARED, rank, (long) WORD * from, bytes, warp));
            from = words.nextSetBit(to);
        }
    }
}
