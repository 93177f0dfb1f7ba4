package dev.heddle.vm.races;

import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.List;
import java.util.Random;

/// Asynchronous stores, reductions and multicast copies of a random program into shared memory of
/// other CTAs, mostly with what the manual asks for before and behind them.
final class RemoteCopies {
    private final Random random;
    private final Shape shape;

    // Each use has an object of its own, in every CTA.
    private int uses;

    RemoteCopies(Random random, Shape shape) {
        this.random = random;
        this.shape = shape;
    }

    /// Some use the bytes, a barrier, others write into them asynchronously, the threads of the CTA
    /// wait, and some use them again.
    void add(List<Slot> slots) {
        int object = uses++;
        int rank = random.nextInt(shape.cluster());
        int at = 16 * random.nextInt(2);
        int word = at + 4 * random.nextInt(2);
        use(slots, rank, word);
        if (random.nextInt(3) != 0) {
            slots.add(RandomPrograms.meeting(random, shape));
        }
        boolean isMulticast = random.nextInt(3) == 0;
        int ranks = isMulticast ? 1 << rank | 1 << random.nextInt(shape.cluster()) : 1 << rank;
        for (int each = 0; each < shape.cluster(); each++) {
            if ((ranks >>> each & 1) != 0) {
                Operation expect = new Operation.Expect(object, isMulticast ? 16 : 4);
                slots.add(RandomPrograms.one(actorOf(each), expect));
            }
        }
        slots.add(
                RandomPrograms.one(
                        actor(),
                        operation(isMulticast, rank, ranks, at, word, object, slots.size())));
        if (random.nextBoolean()) {
            slots.add(new Slot(new Operation.Yield(), shape.all()));
        }
        if (mostly()) {
            int waits = mostly() ? shape.all() : 1 << actor();
            slots.add(new Slot(new Operation.Await(object, mostly() ? 0 : 1), waits));
        }
        use(slots, rank, word);
    }

    private Operation operation(
            boolean isMulticast, int rank, int ranks, int at, int word, int object, int slot) {
        if (isMulticast) {
            return new Operation.Multicast(ranks, at, object);
        }
        int value = 8 * (slot + 1);
        return random.nextInt(4) == 0
                ? new Operation.ReduceAsync(rank, word, object, value)
                : new Operation.StoreAsync(rank, word, object, value);
    }

    private int actor() {
        return random.nextInt(shape.actors());
    }

    private int actorOf(int rank) {
        return shape.actorOf(random, rank);
    }

    private boolean mostly() {
        return random.nextInt(8) != 0;
    }

    /// Mostly by a thread of the CTA whose memory it is.
    private void use(List<Slot> slots, int rank, int at) {
        int by = random.nextInt(3) == 0 ? actor() : actorOf(rank);
        boolean reads = random.nextInt(3) != 0;
        slots.add(RandomPrograms.one(by, RandomPrograms.weak(rank, reads, at, slots.size())));
    }
}
