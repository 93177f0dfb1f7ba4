package dev.heddle.vm.access;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.sanitizer.AccessChecks;
import dev.heddle.vm.sanitizer.Stored;
import dev.heddle.vm.state.Warp;
import dev.heddle.vm.texture.TexelArray;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Tells the checks what lanes do with texels: all of them stand in global memory, those of CUDA
/// arrays, too.
///
/// A lane may touch several, as filters do: the first of all lanes are told of together, then the
/// second.
final class TexelChecks {
    /// Texels of a lane: eight around a place, in each of two levels of detail.
    private static final int MOST = 16;

    private final Warp warp;
    private final MemoryUnit memory;

    // The first texel of each lane, the second, ...
    private long[][] places = {};
    private final int[] lanes = new int[MOST];
    private int bytes;

    TexelChecks(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    /// A lane is about to touch a texel, or a part of one, or several side by side.
    ///
    /// @param at its first byte, from the start of the array
    /// @param count of bytes, the same for all lanes until they are told of
    void touch(TexelArray array, long at, int count, int lane) {
        if (places.length == 0) {
            places = new long[MOST][32];
        }
        bytes = count;
        int next = 0;
        while ((lanes[next] >>> lane & 1) != 0) {
            next++;
        }
        lanes[next] |= 1 << lane;
        long start = warp.cta().grid().global().segment().address();
        places[next][lane] = array.bytes().address() - start + at;
    }

    /// Whether what was touched so far is of another size.
    boolean isOfAnother(int count) {
        return lanes[0] != 0 && bytes != count;
    }

    /// What lanes store.
    @FunctionalInterface
    interface Image {
        /// Up to eight bytes of a lane.
        ///
        /// @param from the first of them, among the lane's
        long bytes(int lane, int from, int count);
    }

    /// Tells of all that was touched.
    ///
    /// @param stored by stores
    void tell(Site site, AccessKind kind, @Nullable Image stored) {
        for (int i = 0; i < MOST && lanes[i] != 0; i++) {
            int unit = unit(places[i], lanes[i]);
            for (int piece = 0; piece < bytes; piece += unit) {
                tell(site, kind, stored, i, piece, unit);
            }
        }
        Arrays.fill(lanes, 0);
    }

    /// Bytes of which all lanes access whole multiples: rows of arrays are packed.
    private int unit(long[] at, int mask) {
        long all = bytes;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            all |= at[Integer.numberOfTrailingZeros(rest)];
        }
        return (int) (all & -all);
    }

    private void tell(
            Site site, AccessKind kind, @Nullable Image stored, int texel, int piece, int unit) {
        int mask = lanes[texel];
        long[] offsets = warp.addresses().offsets();
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            offsets[lane] = places[texel][lane] + piece;
        }
        int element = Math.min(unit, Long.BYTES);
        Access weak = Access.weak(Space.GLOBAL, element);
        AccessChecks checks = memory.checks();
        switch (kind) {
            case STORE -> {
                Stored values =
                        stored == null
                                ? null
                                : (lane, i) -> stored.bytes(lane, piece + i * element, element);
                checks.store(site, weak, Space.GLOBAL, offsets, unit, mask, values);
            }
            case ATOMIC -> {
                Access how =
                        new Access(Space.GLOBAL, element, false, MemoryOrder.RELAXED, Scope.GPU);
                checks.update(site, how, Space.GLOBAL, offsets, unit, mask, false);
            }
            case LOAD, BARRIER -> checks.load(site, weak, Space.GLOBAL, offsets, unit, mask);
        }
    }
}
