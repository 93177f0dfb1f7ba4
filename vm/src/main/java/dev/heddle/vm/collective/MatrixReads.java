package dev.heddle.vm.collective;

import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.shadow.AsyncOperation.Region;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// The shared memory that a product of `wgmma` reads, and for which warp.
///
/// A warp holds 16 rows of D (PTX ISA 9.7.15.5.1.1) and executes the instruction by itself: `.sync`
/// makes it wait for its own threads alone. So its part of the product reads the same 16 rows of A,
/// and all of B. The manual deals A so in registers, and does not say it of A in shared memory, but
/// FlashAttention-3 counts on it: a warp multiplies by rows that it has just written, behind
/// `__syncwarp`. On an H100 all four warps meet at a product, which the manual does not promise.
final class MatrixReads {
    private static final int WORD = 4;

    // By warp, the words that only its part reads.
    private final BitSet[] rows = new BitSet[Warpgroup.WARPS];
    private final BitSet shared = new BitSet();

    // Of the matrix that is read: words of a line, or of all rows of a warp where lines are rows.
    private boolean isOfAll;
    private int line;

    // The A whose lines are known: mostly the one before.
    private @Nullable Form ofForm;
    private @Nullable Major ofMajor;

    MatrixReads() {
        java.util.Arrays.setAll(rows, warp -> new BitSet());
    }

    /// A product begins.
    void clear() {
        shared.clear();
        for (BitSet each : rows) {
            each.clear();
        }
    }

    /// A matrix is about to be read.
    @SuppressWarnings("ReferenceEquality") // forms are compared by their words, which takes longer
    void begin(Form form, Role role, Major major) {
        isOfAll = role != Role.A;
        if (isOfAll || form == ofForm && major == ofMajor) {
            return;
        }
        ofForm = form;
        ofMajor = major;
        int bits = form.shape().m() * form.type(role).bits();
        line = (major == Major.K ? bits * form.storedColumns() : bits) / Integer.SIZE;
    }

    /// Words of it are read.
    ///
    /// @param address in bytes
    /// @param at where the first is among the words of the matrix
    void read(int address, int at, int count) {
        BitSet words = isOfAll ? shared : rows[at % line * Warpgroup.WARPS / line];
        words.set(address / WORD, address / WORD + count);
    }

    /// What was read.
    ///
    /// @param rank of the CTA in its cluster
    List<Region> regions(int rank) {
        List<Region> found = new ArrayList<>();
        for (int warp = 0; warp < Warpgroup.WARPS; warp++) {
            add(found, rows[warp], rank, warp);
        }
        add(found, shared, rank, Region.ALL);
        return found;
    }

    private static void add(List<Region> found, BitSet words, int rank, int warp) {
        int from = words.nextSetBit(0);
        while (from >= 0) {
            int to = words.nextClearBit(from);
            long bytes = (long) WORD * (to - from);
            found.add(new Region(Space.SHARED, rank, (long) WORD * from, bytes, warp));
            from = words.nextSetBit(to);
        }
    }
}
