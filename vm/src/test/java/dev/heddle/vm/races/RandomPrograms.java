package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/// Random [SharingProgram]s: mostly with what the manual asks for where threads hand over.
final class RandomPrograms {
    private static final int WORDS = 8;

    /// So that each store has a byte of its own.
    private static final int MOST = 30;

    /// Between parts of a program are fewer instructions than that.
    private static final int OTHERS = 5;

    private static final List<String> SCOPES = List.of("cta", "gpu", "sys");
    private static final List<String> GRID_SCOPES =
            List.of("gpu", "gpu", "gpu", "sys", "cluster", "cta");

    private RandomPrograms() {}

    /// How often a program of a kind does what races easily, in percent.
    private record Habits(int weak, int mixed, int barriers) {}

    /// A program for one CTA.
    static SharingProgram random(Random random) {
        return randomPasses(random, SharingProgram.ONE_CTA);
    }

    /// A program for a grid.
    static SharingProgram randomGrid(Random random) {
        return randomPasses(random, any(random, SharingProgram.GRIDS));
    }

    /// A program for clusters.
    static SharingProgram randomClusters(Random random) {
        return randomPasses(random, any(random, SharingProgram.CLUSTERS));
    }

    /// A program for one CTA with bulk copies.
    static SharingProgram randomCopies(Random random) {
        return random(random, SharingProgram.COPIES, OTHERS, new BulkCopies(random)::add);
    }

    /// A program for one CTA whose threads hand their copies to mbarrier objects.
    static SharingProgram randomHandedCopies(Random random) {
        return random(random, SharingProgram.COPIES, 2, new HandedCopies(random)::add);
    }

    /// A program for a grid with bulk copies.
    static SharingProgram randomGlobalCopies(Random random) {
        Shape shape = any(random, SharingProgram.GLOBAL_COPIES);
        return random(random, shape, OTHERS, new GlobalCopies(random, shape)::add);
    }

    /// A program for clusters with asynchronous stores and multicast copies.
    static SharingProgram randomRemoteCopies(Random random) {
        Shape shape = any(random, SharingProgram.REMOTE_COPIES);
        return random(random, shape, OTHERS, new RemoteCopies(random, shape)::add);
    }

    /// A program for clusters with bulk copies from CTA to CTA.
    static SharingProgram randomSends(Random random) {
        Shape shape = any(random, SharingProgram.REMOTE_COPIES);
        return random(random, shape, 3, new BulkSends(random, shape)::add);
    }

    private static Shape any(Random random, List<Shape> shapes) {
        return shapes.get(random.nextInt(shapes.size()));
    }

    private static SharingProgram randomPasses(Random random, Shape shape) {
        return random(
                random,
                shape,
                OTHERS,
                slots -> {
                    if (random.nextInt(3) != 0) {
                        pass(random, shape, slots);
                    }
                });
    }

    /// @param others bounds what stands behind each part
    /// @param part adds what the program is for
    private static SharingProgram random(
            Random random, Shape shape, int others, Consumer<List<Slot>> part) {
        int[] rates = {0, 3, 15};
        Habits habits =
                new Habits(
                        rates[random.nextInt(3)],
                        rates[random.nextInt(2)],
                        5 + rates[random.nextInt(3)]);
        List<Slot> slots = new ArrayList<>();
        int named = 0;
        for (int parts = 1 + random.nextInt(3); parts > 0; parts--) {
            part.accept(slots);
            for (int rest = random.nextInt(others); rest > 0; rest--) {
                Slot slot = random(random, shape, habits, slots.size(), named);
                named += slot.operation() instanceof Operation.HandOver ? 1 : 0;
                slots.add(slot);
            }
            if (random.nextInt(3) == 0) {
                slots.add(meeting(random, shape));
            }
        }
        return new SharingProgram(shape, slots.subList(0, Math.min(slots.size(), MOST)));
    }

    static Slot meeting(Random random, Shape shape) {
        return shape.cluster() > 1 && random.nextBoolean()
                ? new Slot(new Operation.ClusterBarrier(), shape.all())
                : new Slot(new Operation.CtaBarrier(), shape.all());
    }

    private static String scope(Random random, Shape shape) {
        List<String> scopes = shape.isGrid() ? GRID_SCOPES : SCOPES;
        return scopes.get(random.nextInt(scopes.size()));
    }

    /// One thread writes a word and then a flag, another reads the flag and then the word: mostly
    /// with what the manual asks for between them.
    private static void pass(Random random, Shape shape, List<Slot> slots) {
        int from = random.nextInt(shape.actors());
        int to = random.nextInt(shape.actors());
        int data = 4 * random.nextInt(2);
        int flag = 4 - data;
        String scope = scope(random, shape);
        slots.add(one(from, weak(false, data, slots.size())));
        if (random.nextInt(3) == 0) {
            MemoryOrder order = random.nextBoolean() ? MemoryOrder.RELEASE : MemoryOrder.ACQ_REL;
            slots.add(one(from, strong(random, false, order, scope, flag, slots.size())));
        } else {
            if (random.nextInt(8) != 0) {
                slots.add(one(from, fence(random, shape)));
            }
            slots.add(
                    one(
                            from,
                            strong(random, false, MemoryOrder.RELAXED, scope, flag, slots.size())));
        }
        for (int hops = random.nextInt(3); hops > 0; hops--) {
            int over = random.nextInt(shape.actors());
            slots.add(one(over, update(random, scope, flag, slots.size())));
        }
        if (random.nextBoolean()) {
            slots.add(new Slot(new Operation.Yield(), 3 << (from & ~1)));
        }
        if (random.nextInt(3) == 0) {
            slots.add(
                    one(to, strong(random, true, MemoryOrder.ACQUIRE, scope, flag, slots.size())));
        } else {
            slots.add(
                    one(to, strong(random, true, MemoryOrder.RELAXED, scope, flag, slots.size())));
            if (random.nextInt(8) != 0) {
                slots.add(one(to, fence(random, shape)));
            }
        }
        int last = random.nextInt(4);
        slots.add(one(to, weak(last > 1, last == 0 ? flag : data, slots.size())));
    }

    static Slot one(int actor, Operation operation) {
        return new Slot(operation, 1 << actor);
    }

    static Operation weak(boolean reads, int at, int slot) {
        return weak(0, reads, at, slot);
    }

    static Operation weak(int rank, boolean reads, int at, int slot) {
        return new Operation.Memory(
                rank, reads, !reads, true, MemoryOrder.WEAK, "cta", at, 4, 8 * (slot + 1));
    }

    static Operation strong(
            Random random, boolean reads, MemoryOrder order, String scope, int at, int slot) {
        boolean atomic = order == MemoryOrder.ACQ_REL || random.nextInt(4) == 0;
        return new Operation.Memory(
                0, reads || atomic, !reads || atomic, true, order, scope, at, 4, 8 * (slot + 1));
    }

    private static Operation update(Random random, String scope, int at, int slot) {
        MemoryOrder order = random.nextBoolean() ? MemoryOrder.RELAXED : MemoryOrder.RELEASE;
        return new Operation.Memory(
                0, true, true, random.nextBoolean(), order, scope, at, 4, 8 * (slot + 1));
    }

    private static Slot random(Random random, Shape shape, Habits habits, int index, int named) {
        int actor = random.nextInt(shape.actors());
        int one = 1 << actor;
        int warp = 3 << (actor & ~1);
        int some = random.nextInt(4) == 0 ? one | 1 << random.nextInt(shape.actors()) : one;
        int kind = random.nextInt(100);
        if (kind < habits.barriers && shape.warps() > 1) {
            int from = actor / 2 % shape.warps();
            int to = (from + 1 + random.nextInt(shape.warps() - 1)) % shape.warps();
            boolean both = random.nextInt(3) == 0;
            return new Slot(
                    new Operation.HandOver(named + 1, from, to, both), 3 << 2 * from | 3 << 2 * to);
        }
        int chosen = random.nextInt(12);
        if (shape.distributed() && chosen == 7) {
            // Copies are those of one CTA.
            chosen = 8;
        }
        if (shape.isGlobal() && chosen >= 4 && chosen <= 7) {
            // Objects and copies are those of shared memory.
            chosen = chosen == 4 ? 0 : 8;
        }
        return switch (chosen) {
            case 0, 1 -> new Slot(fence(random, shape), some);
            case 2 -> new Slot(new Operation.WarpBarrier(), random.nextInt(4) == 0 ? one : warp);
            case 3 -> new Slot(new Operation.Yield(), random.nextInt(4) == 0 ? shape.all() : warp);
            case 4, 5 -> new Slot(new Operation.Arrive(rank(random, shape)), some);
            case 6 -> new Slot(new Operation.TestWait(random.nextInt(2)), some);
            case 7 ->
                    random.nextInt(100) < 3 * habits.weak
                            ? new Slot(
                                    new Operation.Copy(4 * random.nextInt(2), false, false, false),
                                    one)
                            : new Slot(new Operation.CopyWait(), some);
            default -> new Slot(memory(random, shape, habits, index), some);
        };
    }

    private static Operation memory(Random random, Shape shape, Habits habits, int slot) {
        int[] sizes = {1, 1, 4, 8};
        int bytes = random.nextInt(100) < habits.mixed ? sizes[random.nextInt(sizes.length)] : 4;
        int at = random.nextInt(WORDS / bytes) * bytes;
        at += shape.copies() ? 16 * random.nextInt(2) : 0;
        boolean strong = random.nextInt(100) >= habits.weak;
        int kind = random.nextInt(strong ? 4 : 2);
        boolean atomic = kind > 1 && bytes > 1;
        boolean reads = kind == 0 || atomic;
        boolean returns = !atomic || kind == 2;
        String scope = scope(random, shape);
        MemoryOrder order = MemoryOrder.WEAK;
        if (strong) {
            order =
                    switch (random.nextInt(atomic && returns ? 4 : 2)) {
                        case 0 -> MemoryOrder.RELAXED;
                        case 1 -> reads && !atomic ? MemoryOrder.ACQUIRE : MemoryOrder.RELEASE;
                        case 2 -> MemoryOrder.ACQUIRE;
                        default -> MemoryOrder.ACQ_REL;
                    };
        }
        return new Operation.Memory(
                rank(random, shape),
                reads,
                atomic || !reads,
                returns,
                order,
                scope,
                at,
                bytes,
                8 * (slot + 1));
    }

    /// Draws nothing where there is one memory.
    private static int rank(Random random, Shape shape) {
        return shape.distributed() ? random.nextInt(shape.cluster()) : 0;
    }

    private static Operation fence(Random random, Shape shape) {
        MemoryOrder[] orders = {
            MemoryOrder.ACQ_REL,
            MemoryOrder.ACQ_REL,
            MemoryOrder.SC,
            MemoryOrder.ACQUIRE,
            MemoryOrder.RELEASE
        };
        MemoryOrder order = orders[random.nextInt(orders.length)];
        return new Operation.Fence(
                order,
                shape.isGrid() ? scope(random, shape) : random.nextBoolean() ? "cta" : "gpu");
    }
}
