package dev.heddle.vm.state;

import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import java.lang.foreign.MemorySegment;

/// The addresses of a warp's lanes, each as a segment and an offset in it (PTX ISA 6.4.1).
public final class LaneAddresses {
    private final Warp warp;
    private Grid grid;
    private MemorySegment constants;
    private final long[] offsets = new long[32];
    private final int[] ranks = new int[32];
    private final long[] outside = new long[32];
    private Cta owner;

    public LaneAddresses(Warp warp) {
        this.warp = warp;
        owner = warp.cta();
        grid = warp.cta().grid();
        constants = constantsOf(grid);
    }

    /// The warp's CTA is one of another launch.
    void serve() {
        grid = warp.cta().grid();
        constants = constantsOf(grid);
    }

    private static MemorySegment constantsOf(Grid grid) {
        return grid.global()
                .segment()
                .asSlice(grid.program().base() - Addresses.GLOBAL, grid.program().constantBytes());
    }

    /// Where each lane's access is in its segment.
    public long[] offsets() {
        return offsets;
    }

    /// The space of every lane's address, or GENERIC where lanes differ; their offsets in that
    /// space's segment go to [#offsets].
    public Space resolve(Frame frame, Space space, Source base, long offset, int lanes) {
        fill(frame, base, offset);
        Space found = space;
        if (space == Space.GENERIC) {
            found = Addresses.spaceOf(offsets[Integer.numberOfTrailingZeros(lanes)]);
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0 && Addresses.spaceOf(offsets[lane]) != found) {
                    return Space.GENERIC;
                }
            }
            long window = Addresses.base(found);
            for (int lane = 0; lane < 32; lane++) {
                offsets[lane] -= window;
            }
        }
        toSegment(found);
        return found;
    }

    private void toSegment(Space space) {
        if (space == Space.GLOBAL) {
            for (int lane = 0; lane < 32; lane++) {
                offsets[lane] -= Addresses.GLOBAL;
            }
        } else if (space == Space.LOCAL) {
            for (int lane = 0; lane < 32; lane++) {
                offsets[lane] = localOffset(lane, offsets[lane]);
            }
        }
    }

    /// An address outside the lane's own stretch must not reach a neighbour's.
    private long localOffset(int lane, long address) {
        if (address >= 0 && address < warp.local().bytesPerLane()) {
            return warp.local().offset(lane, address);
        }
        outside[lane] = address;
        return -1;
    }

    /// The address of a lane that its local memory does not have, where its offset is negative.
    public long outside(int lane) {
        return outside[lane];
    }

    /// Addresses in 32-bit registers wrap at 2^32.
    public void fill(Frame frame, Source base, long offset) {
        if (base instanceof Register register && register.width() == Width.LONG) {
            int at = 32 * register.index();
            for (int lane = 0; lane < 32; lane++) {
                offsets[lane] = frame.longs[at + lane] + offset;
            }
        } else if (base instanceof Register register) {
            int at = 32 * register.index();
            for (int lane = 0; lane < 32; lane++) {
                offsets[lane] = frame.words[at + lane] + offset & 0xffff_ffffL;
            }
        } else {
            java.util.Arrays.fill(offsets, frame.value(base, 0) + offset);
        }
    }

    /// The segment behind a space, or an empty one where the address lies in no window.
    public MemorySegment segment(Space space) {
        return switch (space) {
            case GLOBAL -> grid.global().segment();
            case CONST -> constants;
            case SHARED -> warp.cta().shared();
            // Only what forEachSpace has told apart by rank has a segment.
            case CLUSTER -> MemorySegment.NULL;
            case LOCAL -> warp.local().segment();
            case PARAM -> grid.parameters();
            case GENERIC -> MemorySegment.NULL;
        };
    }

    /// Runs an action for each part of the lanes whose addresses share a space.
    public interface Part {
        void run(Space space, MemorySegment segment, int lanes);
    }

    public void forEachSpace(
            Frame frame, Space space, Source base, long offset, int lanes, Part part) {
        Space found = resolve(frame, space, base, offset, lanes);
        if (found != Space.GENERIC || space != Space.GENERIC) {
            run(found, lanes, part);
            return;
        }
        int left = lanes;
        while (left != 0) {
            fill(frame, base, offset);
            Space next = Addresses.spaceOf(offsets[Integer.numberOfTrailingZeros(left)]);
            int same = 0;
            for (int lane = 0; lane < 32; lane++) {
                if ((left >>> lane & 1) != 0 && Addresses.spaceOf(offsets[lane]) == next) {
                    same |= 1 << lane;
                }
            }
            long window = Addresses.base(next);
            for (int lane = 0; lane < 32; lane++) {
                offsets[lane] -= window;
            }
            toSegment(next);
            left &= ~same;
            run(next, same, part);
        }
    }

    private void run(Space space, int lanes, Part part) {
        if (space == Space.CLUSTER) {
            forEachRank(lanes, part);
        } else {
            part.run(space, segment(space), lanes);
        }
    }

    /// Shared memory of the cluster: that of the own CTA is [Space#SHARED].
    private void forEachRank(int lanes, Part part) {
        for (int lane = 0; lane < 32; lane++) {
            ranks[lane] = Addresses.rankOf(offsets[lane]);
            offsets[lane] = Addresses.withoutRank(offsets[lane]);
        }
        Cta own = warp.cta();
        int left = lanes;
        while (left != 0) {
            int rank = ranks[Integer.numberOfTrailingZeros(left)];
            int same = 0;
            for (int rest = left; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                same |= ranks[lane] == rank ? 1 << lane : 0;
            }
            left &= ~same;
            if (rank < 0 || rank == own.rank()) {
                part.run(Space.SHARED, own.shared(), same);
            } else if (rank >= own.cluster().size()) {
                for (int rest = same; rest != 0; rest &= rest - 1) {
                    offsets[Integer.numberOfTrailingZeros(rest)] |= rank + 1L << Addresses.RANK;
                }
                part.run(Space.CLUSTER, MemorySegment.NULL, same);
            } else {
                owner = own.cluster().cta(rank);
                part.run(Space.CLUSTER, owner.shared(), same);
                owner = own;
            }
        }
    }

    /// While a part in shared memory runs: the CTA that has it.
    public Cta owner() {
        return owner;
    }

    /// A place in memory.
    ///
    /// @param space without [Space#GENERIC], unless the address lies in no window
    /// @param segment of the space
    /// @param offset in it
    /// @param owner the CTA that has it, where it is shared memory
    public record Location(Space space, MemorySegment segment, long offset, Cta owner) {
        /// The place so many bytes further.
        public Location plus(long bytes) {
            return new Location(space, segment, offset + bytes, owner);
        }
    }

    /// Where one lane's address points.
    public Location locate(Frame frame, Step.Place place, int lane) {
        long address = frame.value(place.base(), lane) + place.offset();
        if (place.base().width() == Width.WORD) {
            address &= 0xffff_ffffL;
        }
        Space space = place.space();
        if (space == Space.GENERIC) {
            space = Addresses.spaceOf(address);
            address -= Addresses.base(space);
        }
        Cta own = warp.cta();
        switch (space) {
            case GLOBAL -> address -= Addresses.GLOBAL;
            case LOCAL -> address = localOffset(lane, address);
            case SHARED, CLUSTER -> {
                int rank = space == Space.SHARED ? -1 : Addresses.rankOf(address);
                if (rank >= own.cluster().size()) {
                    return new Location(space, MemorySegment.NULL, address, own);
                }
                Cta at = rank < 0 ? own : own.cluster().cta(rank);
                return new Location(
                        at.rank() == own.rank() ? Space.SHARED : Space.CLUSTER,
                        at.shared(),
                        rank < 0 ? address : Addresses.withoutRank(address),
                        at);
            }
            case CONST, PARAM, GENERIC -> {}
        }
        return new Location(space, segment(space), address, own);
    }
}
