package dev.heddle.vm.races;

import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.List;
import java.util.Random;

/// Copies by `cp.async` of a random program that their threads hand to mbarrier objects, mostly
/// with what the manual asks for before and behind them.
final class HandedCopies {
    private static final Shape SHAPE = SharingProgram.COPIES;

    private final Random random;

    /// One of so many steps is not what the manual asks for.
    private final int care;

    // By object, the arrivals so far.
    private final int[] arrivals = new int[SharingProgram.OBJECTS];

    HandedCopies(Random random) {
        this.random = random;
        care = 8 << random.nextInt(3);
    }

    /// Some use the bytes, a barrier, one or two lanes copy and hand over, others wait and use the
    /// bytes; sometimes these say when they have done with them, and all that comes again.
    void add(List<Slot> slots) {
        int at = 16 * random.nextInt(2);
        int by = actor();
        int lanes = random.nextInt(3) == 0 ? warp(by) : 1 << by;
        if (mostly() && !slots.isEmpty()) {
            slots.add(meeting());
        }
        if (random.nextBoolean()) {
            use(slots, random.nextInt(3) == 0 ? by : actor(), at);
        }
        if (random.nextInt(4) == 0) {
            touch(slots, false, actor(), by);
        }
        if (mostly()) {
            slots.add(meeting());
        }
        int reader = fill(slots, by, lanes, at);
        if (random.nextBoolean()) {
            int empty = object(1);
            arrive(slots, 1 << (mostly() ? reader : actor()), empty);
            if (random.nextInt(8) != 0) {
                slots.add(new Slot(new Operation.Yield(), SHAPE.all()));
            }
            if (mostly()) {
                slots.add(new Slot(await(empty), lanes));
            }
            fill(slots, by, lanes, at);
        }
    }

    /// Returns who has used the bytes.
    private int fill(List<Slot> slots, int by, int lanes, int at) {
        int word = at + 4 * random.nextInt(2);
        slots.add(new Slot(copy(word, lanes), lanes));
        if (Integer.bitCount(lanes) == 1 && random.nextBoolean()) {
            slots.add(new Slot(copy(mostly() ? 2 * at + 4 - word : word, lanes), lanes));
        }
        if (!mostly()) {
            touch(slots, false, by, by);
        }
        if (random.nextInt(6) == 0) {
            touch(slots, true, actor(), by);
        }
        int beside = 16 - at;
        boolean isUsedBeside = random.nextInt(3) == 0;
        if (isUsedBeside) {
            use(slots, by, beside);
        }
        if (random.nextInt(6) == 0) {
            slots.add(new Slot(copiesWait(), mostly() ? lanes : warp(by)));
        }
        int object = hand(slots, by, lanes);
        if (random.nextInt(4) == 0) {
            int other = hand(slots, by, lanes);
            object = random.nextBoolean() ? other : object;
        }
        if (!mostly()) {
            slots.add(new Slot(copy(word, lanes), lanes));
        }
        if (random.nextInt(6) == 0) {
            slots.add(new Slot(copiesWait(), mostly() ? lanes : warp(by)));
        }
        if (random.nextInt(8) != 0) {
            slots.add(new Slot(new Operation.Yield(), SHAPE.all()));
        }
        int reader = random.nextInt(4) == 0 ? by : actor();
        int waits = random.nextBoolean() ? 1 << reader : 1 << actor() | lanes;
        if (mostly()) {
            slots.add(new Slot(await(object), mostly() ? waits : SHAPE.all()));
        }
        if ((waits >>> reader & 1) == 0 && mostly()) {
            slots.add(meeting());
        }
        use(slots, reader, at);
        if (random.nextInt(3) == 0) {
            touch(slots, false, reader, by);
        }
        if (isUsedBeside && random.nextBoolean()) {
            use(slots, reader, beside);
        }
        return reader;
    }

    /// Several lanes copy to a word each.
    private Operation.Copy copy(int word, int lanes) {
        boolean isSpread = Integer.bitCount(lanes) > 1 && mostly();
        boolean isJoint = random.nextInt(4) == 0;
        boolean commits = random.nextInt(3) == 0;
        return new Operation.Copy(isSpread ? word & ~7 : word, isSpread, isJoint, commits);
    }

    private Operation copiesWait() {
        return random.nextBoolean()
                ? new Operation.CopyWait()
                : new Operation.CopyGroupWait(random.nextInt(2));
    }

    /// Lanes hand what they have copied to an object. Its phase ends with that, or with a plain
    /// arrival before or behind it.
    private int hand(List<Slot> slots, int by, int lanes) {
        boolean counts = random.nextBoolean();
        int counted = counts ? Integer.bitCount(lanes) : 0;
        boolean isMet = !counts || random.nextInt(4) == 0;
        int object = object(counted + (isMet ? 1 : 0));
        boolean isMetBefore = counts && random.nextBoolean();
        int other = 1 << (random.nextBoolean() ? by : actor());
        if (isMet && isMetBefore) {
            arrive(slots, other, object);
        }
        slots.add(new Slot(new Operation.HandCopies(object, counts), lanes));
        arrivals[object] += counted;
        if (isMet && !isMetBefore && mostly()) {
            arrive(slots, other, object);
        }
        return object;
    }

    private void arrive(List<Slot> slots, int lanes, int object) {
        slots.add(new Slot(new Operation.ArriveAt(object), lanes));
        arrivals[object] += Integer.bitCount(lanes);
    }

    /// For the last phase that is over.
    private Operation.Await await(int object) {
        int over = arrivals[object] / SharingProgram.arrivals(object);
        int parity = Math.max(over - 1, 0) % 2;
        return new Operation.Await(object, mostly() ? parity : 1 - parity);
    }

    /// One that awaits so many arrivals; rarely another.
    private int object(int awaited) {
        int object = random.nextInt(SharingProgram.OBJECTS);
        boolean isAny = random.nextInt(16) == 0;
        while (!isAny && SharingProgram.arrivals(object) != awaited) {
            object = random.nextInt(SharingProgram.OBJECTS);
        }
        return object;
    }

    private int actor() {
        return random.nextInt(SHAPE.actors());
    }

    private static int warp(int actor) {
        return 3 << (actor & ~1);
    }

    private boolean mostly() {
        return random.nextInt(care) != 0;
    }

    private static Slot meeting() {
        return new Slot(new Operation.CtaBarrier(), SHAPE.all());
    }

    /// Somebody reads or writes what an actor copies from, or all do.
    private void touch(List<Slot> slots, boolean reads, int by, int copier) {
        int source = Operation.Copy.source(random.nextInt(3) == 0 ? 0 : copier);
        slots.add(
                RandomPrograms.one(
                        by,
                        RandomPrograms.weak(SharingProgram.GLOBAL, reads, source, slots.size())));
    }

    private void use(List<Slot> slots, int by, int at) {
        int place = at + 4 * random.nextInt(2);
        slots.add(
                RandomPrograms.one(
                        by, RandomPrograms.weak(random.nextInt(3) != 0, place, slots.size())));
    }
}
