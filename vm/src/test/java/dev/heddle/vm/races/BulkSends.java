package dev.heddle.vm.races;

import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.List;
import java.util.Random;

/// Bulk copies and bulk reductions of a random program between shared memory of CTAs of a cluster,
/// mostly with what the manual asks for before and behind them.
final class BulkSends {
    private static final List<String> REDUCTIONS =
            List.of(".add.u32", ".add.s32", ".add.u64", ".inc.u32", ".min.s32", ".xor.b32");

    private final Random random;
    private final Shape shape;

    /// One of so many steps is not what the manual asks for.
    private final int care;

    // Each use has an object of its own, in every CTA.
    private int uses;

    BulkSends(Random random, Shape shape) {
        this.random = random;
        this.shape = shape;
        care = 8 << random.nextInt(3);
    }

    /// Some use the bytes of two CTAs, a barrier, a thread of the one copies them to the other, the
    /// threads of that wait, and some use them again. What the first does beside its copy is not
    /// handed over by it.
    void add(List<Slot> slots) {
        int object = uses++;
        int rank = random.nextInt(shape.cluster());
        int own = (rank + 1 + random.nextInt(shape.cluster() - 1)) % shape.cluster();
        int by = actorOf(own);
        int at = 16 * random.nextInt(2);
        int from = 16 * random.nextInt(2);
        String reduction =
                random.nextBoolean() ? REDUCTIONS.get(random.nextInt(REDUCTIONS.size())) : "";
        prepare(slots, by, rank, at);
        prepare(slots, by, own, from);
        if (!slots.isEmpty() && mostly()) {
            slots.add(new Slot(new Operation.ClusterBarrier(), shape.all()));
        }
        if (random.nextInt(4) == 0) {
            slots.add(RandomPrograms.one(by, new Operation.ProxyFence()));
        }
        boolean isUsedBeside = random.nextInt(3) == 0;
        int beside = wordOf(16 - at);
        if (isUsedBeside) {
            use(slots, by, rank, beside);
        }
        boolean isTwice = random.nextInt(3) == 0 && !(reduction.isEmpty() && mostly());
        slots.add(
                RandomPrograms.one(actorOf(rank), new Operation.Expect(object, isTwice ? 32 : 16)));
        Operation copy = new Operation.BulkSend(rank, at, from, object, reduction);
        slots.add(RandomPrograms.one(by, copy));
        if (isTwice) {
            slots.add(RandomPrograms.one(random.nextBoolean() ? by : actorOf(own), copy));
        }
        if (!mostly()) {
            use(slots, actor(), rank, wordOf(at));
        }
        if (mostly()) {
            slots.add(new Slot(new Operation.Yield(), shape.all()));
        }
        int reader = actorOf(rank);
        if (mostly()) {
            int waits = random.nextInt(3) != 0 ? shape.all() : 1 << reader;
            slots.add(new Slot(new Operation.Await(object, mostly() ? 0 : 1), waits));
        }
        if (random.nextBoolean()) {
            use(slots, reader, rank, wordOf(at));
        }
        if (isUsedBeside && random.nextBoolean()) {
            use(slots, reader, rank, beside);
        }
        if (mostly()) {
            slots.add(new Slot(new Operation.ClusterBarrier(), shape.all()));
        }
        use(slots, own, wordOf(from));
        use(slots, rank, wordOf(at));
    }

    private int wordOf(int block) {
        return block + 4 * random.nextInt(2);
    }

    /// Somebody uses bytes that are about to be copied, or copied over, mostly with a proxy fence
    /// behind that.
    private void prepare(List<Slot> slots, int by, int rank, int at) {
        if (random.nextBoolean()) {
            int user =
                    random.nextInt(3) == 0 ? by : random.nextInt(3) == 0 ? actor() : actorOf(rank);
            use(slots, user, rank, wordOf(at));
            if (mostly()) {
                slots.add(RandomPrograms.one(user, new Operation.ProxyFence()));
            }
        }
    }

    private int actor() {
        return random.nextInt(shape.actors());
    }

    private int actorOf(int rank) {
        return shape.actorOf(random, rank);
    }

    private boolean mostly() {
        return random.nextInt(care) != 0;
    }

    /// Mostly by a thread of the CTA whose memory it is.
    private void use(List<Slot> slots, int rank, int at) {
        use(slots, random.nextInt(3) == 0 ? actor() : actorOf(rank), rank, at);
    }

    private void use(List<Slot> slots, int by, int rank, int at) {
        boolean reads = random.nextInt(3) != 0;
        slots.add(RandomPrograms.one(by, RandomPrograms.weak(rank, reads, at, slots.size())));
    }
}
