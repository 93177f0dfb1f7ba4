package dev.heddle.vm.races;

import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.List;
import java.util.Random;

/// Bulk copies of a random program, mostly with what the manual asks for before and behind them.
final class BulkCopies {
    private static final Shape SHAPE = SharingProgram.COPIES;

    private final Random random;

    // By actor, the copies that its object has counted.
    private final int[] counted = new int[SHAPE.actors()];

    BulkCopies(Random random) {
        this.random = random;
    }

    /// Adds a copy into shared memory or out of it.
    void add(List<Slot> slots) {
        int at = 16 * random.nextInt(2);
        if (random.nextBoolean()) {
            load(slots, at);
        } else {
            store(slots, at);
        }
    }

    private int actor() {
        return random.nextInt(SHAPE.actors());
    }

    private boolean mostly() {
        return random.nextInt(8) != 0;
    }

    /// Some use the bytes, a barrier, a copy into them, waits, and others use them.
    private void load(List<Slot> slots, int at) {
        int before = actor();
        use(slots, before, at);
        boolean isFencedLate = random.nextInt(4) == 0;
        if (!isFencedLate && mostly()) {
            slots.add(RandomPrograms.one(before, new Operation.ProxyFence()));
        }
        int from = 16 * random.nextInt(2);
        boolean isSourceUsed = random.nextBoolean();
        if (isSourceUsed && random.nextBoolean()) {
            useGlobal(slots, from);
        }
        if (random.nextInt(3) != 0) {
            slots.add(meeting());
        }
        int by = actor();
        if (isFencedLate) {
            slots.add(RandomPrograms.one(mostly() ? by : actor(), new Operation.ProxyFence()));
        }
        slots.add(RandomPrograms.one(by, new Operation.Expect(by, 16)));
        slots.add(RandomPrograms.one(by, new Operation.BulkLoad(at, by, from)));
        counted[by]++;
        int waits = mostly() ? SHAPE.all() : 1 << actor();
        if (random.nextBoolean()) {
            slots.add(new Slot(new Operation.Yield(), 3 << (by & ~1)));
        }
        int parity = (counted[by] - 1) % 2;
        if (mostly()) {
            slots.add(new Slot(new Operation.Await(by, mostly() ? parity : 1 - parity), waits));
        }
        if (isSourceUsed) {
            useGlobal(slots, from);
        }
        use(slots, at);
    }

    /// Some write, a fence, a barrier, a copy out of there, a wait, a barrier, and others write.
    private void store(List<Slot> slots, int at) {
        int from = actor();
        int by = random.nextInt(3) == 0 ? from : actor();
        slots.add(
                RandomPrograms.one(
                        from,
                        RandomPrograms.weak(false, at + 4 * random.nextInt(2), slots.size())));
        boolean isFencedLate = random.nextInt(4) == 0;
        if (!isFencedLate && mostly()) {
            slots.add(RandomPrograms.one(from, new Operation.ProxyFence()));
        }
        if (mostly()) {
            slots.add(meeting());
        }
        if (isFencedLate) {
            slots.add(RandomPrograms.one(mostly() ? by : actor(), new Operation.ProxyFence()));
        }
        int to = random.nextBoolean() ? Operation.BulkStore.OWN : 16 * random.nextInt(2);
        boolean reduces = random.nextInt(4) == 0;
        slots.add(RandomPrograms.one(by, new Operation.BulkStore(at, to, reduces, mostly())));
        if (mostly()) {
            boolean read = to == Operation.BulkStore.OWN || random.nextInt(4) == 0;
            slots.add(RandomPrograms.one(mostly() ? by : actor(), new Operation.BulkWait(read)));
        }
        if (mostly()) {
            slots.add(meeting());
        }
        if (to != Operation.BulkStore.OWN) {
            useGlobal(slots, to);
        }
        use(slots, at);
    }

    private Slot meeting() {
        return new Slot(new Operation.CtaBarrier(), SHAPE.all());
    }

    private void useGlobal(List<Slot> slots, int at) {
        int place = at + 4 * random.nextInt(4);
        boolean reads = random.nextInt(3) == 0;
        slots.add(
                RandomPrograms.one(
                        actor(),
                        RandomPrograms.weak(SharingProgram.GLOBAL, reads, place, slots.size())));
    }

    private void use(List<Slot> slots, int at) {
        use(slots, actor(), at);
    }

    private void use(List<Slot> slots, int by, int at) {
        int place = at + 4 * random.nextInt(2);
        slots.add(
                RandomPrograms.one(
                        by, RandomPrograms.weak(random.nextInt(3) != 0, place, slots.size())));
    }
}
