package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.List;
import java.util.Random;

/// Bulk copies of a random program from and to global memory that CTAs share, mostly with what the
/// manual asks for before and behind them.
final class GlobalCopies {
    /// Blocks of shared memory of a CTA, each for one copy after the other.
    private static final int BLOCKS = 4;

    /// The first of the words that hand over.
    private static final int FLAGS = 32;

    private final Random random;
    private final Shape shape;
    private int copies;
    private int flags;

    // By actor, the copies that its object has counted.
    private final int[] counted;

    GlobalCopies(Random random, Shape shape) {
        this.random = random;
        this.shape = shape;
        counted = new int[shape.actors()];
    }

    /// Somebody uses bytes, hands them over, another copies from or to them, waits, hands them
    /// over, and another uses them.
    void add(List<Slot> slots) {
        int place = 16 * random.nextInt(2);
        int by = actor();
        if (random.nextBoolean()) {
            int before = actor();
            use(slots, before, place);
            boolean isFencedLate = random.nextInt(3) == 0;
            if (!isFencedLate && mostly()) {
                slots.add(RandomPrograms.one(before, new Operation.ProxyFence()));
            }
            if (mostly()) {
                handOver(slots, before, by);
            }
            if (isFencedLate) {
                slots.add(RandomPrograms.one(by, new Operation.ProxyFence()));
            }
        }
        if (random.nextBoolean()) {
            load(slots, by, place);
        } else {
            store(slots, by, place);
        }
        int behind = random.nextInt(4) == 0 ? by : actor();
        if (mostly()) {
            handOver(slots, by, behind);
        }
        if (random.nextInt(4) == 0) {
            store(slots, behind, place);
        } else {
            use(slots, behind, place);
        }
    }

    private void load(List<Slot> slots, int by, int from) {
        int object = by % (2 * shape.warps());
        slots.add(RandomPrograms.one(by, new Operation.Expect(object, 16)));
        slots.add(RandomPrograms.one(by, new Operation.BulkLoad(block(), object, from)));
        int parity = counted[by]++ % 2;
        if (mostly()) {
            slots.add(
                    RandomPrograms.one(
                            by, new Operation.Await(object, mostly() ? parity : 1 - parity)));
        }
    }

    private void store(List<Slot> slots, int by, int to) {
        boolean reduces = random.nextInt(3) == 0;
        slots.add(RandomPrograms.one(by, new Operation.BulkStore(block(), to, reduces, mostly())));
        if (mostly()) {
            slots.add(RandomPrograms.one(by, new Operation.BulkWait(random.nextInt(4) == 0)));
        }
    }

    private int block() {
        return 16 * (copies++ % BLOCKS);
    }

    private void handOver(List<Slot> slots, int from, int to) {
        if (from == to) {
            return;
        }
        int flag = FLAGS + 4 * (flags++ % 4);
        slots.add(strong(from, false, MemoryOrder.RELEASE, flag, slots.size()));
        slots.add(new Slot(new Operation.Yield(), 3 << (from & ~1)));
        slots.add(strong(to, true, MemoryOrder.ACQUIRE, flag, slots.size()));
    }

    private Slot strong(int by, boolean reads, MemoryOrder order, int flag, int slot) {
        return RandomPrograms.one(
                by,
                new Operation.Memory(
                        0, reads, !reads, true, order, "gpu", flag, 4, 8 * (slot + 1)));
    }

    private void use(List<Slot> slots, int by, int at) {
        int place = at + 4 * random.nextInt(4);
        slots.add(
                RandomPrograms.one(
                        by, RandomPrograms.weak(random.nextInt(3) == 0, place, slots.size())));
    }

    private int actor() {
        return random.nextInt(shape.actors());
    }

    private boolean mostly() {
        return random.nextInt(16) != 0;
    }
}
