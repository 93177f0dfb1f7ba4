package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Words that threads of a random program hand over by something relaxed between two fences, which
/// mostly do so unless they order only other accesses.
final class RestrictedPasses {
    private static final List<Shape> SHAPES =
            List.of(
                    SharingProgram.REMOTE_COPIES.get(0),
                    SharingProgram.REMOTE_COPIES.get(1),
                    SharingProgram.COPIES);

    /// The first of the words that hand over.
    private static final int FLAGS = 32;

    /// Objects that await one arrival, and as many words; behind them, those of copies.
    private static final int LINKS = 4;

    /// What copies read in global memory.
    private static final int SOURCE = 48;

    // An atomic operation that acquires has a relaxed write, one that releases a relaxed read.
    private static final List<MemoryOrder> WRITES =
            List.of(MemoryOrder.RELAXED, MemoryOrder.RELAXED, MemoryOrder.ACQUIRE);
    private static final List<MemoryOrder> READS =
            List.of(MemoryOrder.RELAXED, MemoryOrder.RELAXED, MemoryOrder.RELEASE);

    private final Random random;
    private final Shape shape;
    private final List<Slot> slots = new ArrayList<>();
    private int passes;
    private int links;

    private RestrictedPasses(Random random) {
        this.random = random;
        shape = any(SHAPES);
    }

    static SharingProgram random(Random random) {
        RestrictedPasses all = new RestrictedPasses(random);
        for (int rest = 1 + random.nextInt(3); rest > 0; rest--) {
            all.add();
        }
        return new SharingProgram(all.shape, all.slots);
    }

    /// One uses a word, hands it over to another, perhaps by a third, and that one uses it.
    private void add() {
        int from = actor();
        int to = actor();
        int number = passes++;
        int at = 16 * (number % 2) + 4 * (number / 2);
        boolean isCopied = random.nextInt(4) == 0;
        boolean copies = random.nextInt(4) == 0;
        int rank = isCopied ? rankOf(to) : copies ? rankOf(from) : memory();
        boolean reads = !isCopied && !copies && random.nextInt(4) == 0;
        if (copies && rank == rankOf(from)) {
            copy(from, at, number);
        } else {
            use(from, reads, rank, at);
        }
        if (isCopied && random.nextInt(3) == 0) {
            proxyFence(from);
        }
        if (random.nextInt(3) == 0) {
            int by = actor();
            link(from, by);
            if (isCopied && random.nextInt(3) == 0) {
                proxyFence(by);
            }
            link(by, to);
        } else {
            link(from, to);
        }
        if (!isCopied) {
            use(to, !reads && random.nextBoolean(), rank, at);
            return;
        }
        if (random.nextInt(3) != 0) {
            proxyFence(to);
        }
        add(
                to,
                new Operation.BulkStore(at & -16, Operation.BulkStore.OWN, false, mostly()),
                new Operation.BulkWait(random.nextBoolean()));
    }

    /// A thread writes asynchronously to the memory of its CTA, and waits for that.
    private void copy(int by, int at, int number) {
        int object = LINKS + number % 2;
        boolean isStore = shape.isGrid() && random.nextBoolean();
        add(
                by,
                new Operation.Expect(object, isStore ? 4 : 16),
                isStore
                        ? new Operation.StoreAsync(rankOf(by), at, object, 8 * (slots.size() + 1))
                        : new Operation.BulkLoad(at & -16, object, SOURCE));
        if (mostly()) {
            letOthersRun(by);
            add(by, new Operation.Await(object, number / 2));
        }
    }

    private void link(int from, int to) {
        int kind = random.nextInt(8);
        if (kind == 0) {
            slots.add(RandomPrograms.meeting(random, shape));
        } else if (kind < 3 && shape.isGrid()) {
            release(from);
            slots.add(new Slot(new Operation.ClusterArrive(".relaxed"), shape.all()));
            slots.add(new Slot(new Operation.ClusterWait(), shape.all()));
            if (!mostly()) {
                acquire(to);
            }
        } else if (kind < 6) {
            arrive(from, to);
        } else {
            flag(from, to);
        }
    }

    private void arrive(int from, int to) {
        int object = links++ % LINKS;
        boolean releases = random.nextInt(3) == 0;
        if (!releases) {
            release(from);
        }
        add(from, new Operation.ArriveAt(rankOf(to), object, !releases));
        letOthersRun(to);
        boolean acquires = random.nextInt(3) == 0;
        add(to, new Operation.Await(object, mostly() ? 0 : 1, !acquires));
        if (!acquires) {
            acquire(to);
        }
    }

    private void flag(int from, int to) {
        int rank = memory();
        int at = FLAGS + 4 * (links++ % LINKS);
        String scope = random.nextInt(3) == 0 ? "gpu" : mostly() ? "cluster" : "cta";
        boolean releases = random.nextInt(5) == 0;
        if (!releases) {
            release(from);
        }
        add(from, strong(rank, false, releases ? MemoryOrder.RELEASE : any(WRITES), scope, at));
        letOthersRun(to);
        boolean acquires = random.nextInt(5) == 0;
        add(to, strong(rank, true, acquires ? MemoryOrder.ACQUIRE : any(READS), scope, at));
        if (!acquires) {
            acquire(to);
        }
    }

    private Operation strong(int rank, boolean reads, MemoryOrder order, String scope, int at) {
        boolean isOther = order == (reads ? MemoryOrder.RELEASE : MemoryOrder.ACQUIRE);
        boolean isAtomic = isOther || random.nextInt(4) == 0;
        return new Operation.Memory(
                rank,
                reads || isAtomic,
                !reads || isAtomic,
                true,
                order,
                scope,
                at,
                4,
                8 * (slots.size() + 1));
    }

    private void release(int by) {
        if (mostly()) {
            add(
                    by,
                    switch (random.nextInt(12)) {
                        case 0 -> RestrictedPrograms.MADE_OBJECTS;
                        case 1 -> new Operation.ProxyFence(MemoryOrder.RELEASE);
                        case 2, 3, 4, 5, 6 -> RestrictedPrograms.OWN_RELEASE;
                        case 7 -> new Operation.Fence(MemoryOrder.ACQ_REL, "gpu");
                        default -> new Operation.Fence(MemoryOrder.RELEASE, "cluster");
                    });
        }
    }

    private void acquire(int by) {
        if (mostly()) {
            add(
                    by,
                    switch (random.nextInt(12)) {
                        case 1, 2 -> new Operation.ProxyFence(MemoryOrder.ACQUIRE);
                        case 3, 4, 5, 6 -> RestrictedPrograms.CLUSTER_ACQUIRE;
                        case 7 -> new Operation.Fence(MemoryOrder.ACQ_REL, "gpu");
                        default -> new Operation.Fence(MemoryOrder.ACQUIRE, "cluster");
                    });
        }
    }

    private void proxyFence(int by) {
        MemoryOrder order =
                any(List.of(MemoryOrder.WEAK, MemoryOrder.RELEASE, MemoryOrder.ACQUIRE));
        add(by, new Operation.ProxyFence(order));
    }

    private void use(int by, boolean reads, int rank, int at) {
        add(by, RandomPrograms.weak(rank, reads, at, slots.size()));
    }

    private void add(int by, Operation... operations) {
        for (Operation each : operations) {
            slots.add(RandomPrograms.one(by, each));
        }
    }

    /// Others run before an actor goes on.
    private void letOthersRun(int by) {
        slots.add(new Slot(new Operation.Yield(), 3 << (by & ~1)));
    }

    /// That of a CTA of the cluster, or global memory.
    private int memory() {
        return random.nextInt(3) == 0 ? SharingProgram.GLOBAL : random.nextInt(shape.cluster());
    }

    private int actor() {
        return random.nextInt(shape.actors());
    }

    private int rankOf(int actor) {
        return actor / (2 * shape.warps());
    }

    private boolean mostly() {
        return random.nextInt(16) != 0;
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
