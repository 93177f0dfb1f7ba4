package dev.heddle.vm.collective;

import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.vm.shadow.ByteRanges;
import dev.heddle.vm.shadow.Footprint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// The shared memory that a matrix of a product of `wgmma` stands in, and which warp reads it.
///
/// A warp holds 16 rows of D (PTX ISA 9.7.15.5.1.1) and executes the instruction by itself: `.sync`
/// makes it wait for its own threads alone. So its part of the product reads the same 16 rows of A,
/// and all of B. The manual deals A so in registers, and does not say it of A in shared memory, but
/// FlashAttention-3 counts on it: a warp multiplies by rows that it has just written, behind
/// `__syncwarp`. On an H100 all four warps meet at a product, which the manual does not promise.
final class MatrixReads {
    private static final int WORD = 4;

    // By warp, the words that only its part reads, and behind these those that all read.
    private final BitSet[] words = new BitSet[Warpgroup.WARPS + 1];
    private final boolean isOfAll;

    // Words of a line, or of all rows of a warp where lines are rows.
    private final int line;

    MatrixReads(Form form, Role role, Major major) {
        Arrays.setAll(words, _ -> new BitSet());
        isOfAll = role != Role.A;
        int bits = form.shape().m() * form.type(role).bits();
        boolean isByRows = major == Major.K && !isOfAll;
        line = (isByRows ? bits * form.storedColumns() : bits) / Integer.SIZE;
    }

    /// Words of it are read.
    ///
    /// @param address in bytes
    /// @param at where the first is among the words of the matrix
    void read(int address, int at, int count) {
        int warp = isOfAll ? Warpgroup.WARPS : at % line * Warpgroup.WARPS / line;
        words[warp].set(address / WORD, address / WORD + count);
    }

    /// All that was read.
    Footprint footprint() {
        BitSet all = new BitSet();
        List<Footprint.Part> parts = new ArrayList<>();
        for (int warp = 0; warp < words.length; warp++) {
            if (!words[warp].isEmpty()) {
                int whose = warp < Warpgroup.WARPS ? warp : Footprint.Part.ALL;
                parts.add(new Footprint.Part(whose, ByteRanges.ofWords(words[warp])));
                all.or(words[warp]);
            }
        }
        return new Footprint(List.copyOf(parts), ByteRanges.ofWords(all));
    }
}
