package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;

/// A small random program of some threads, two in each warp, that share a few bytes of shared or
/// global memory: instructions one after the other, each for some of the threads.
///
/// @param shape of its launch
/// @param slots the instructions
record SharingProgram(Shape shape, List<Slot> slots) {
    /// One CTA, whose threads share shared memory.
    static final Shape ONE_CTA = new Shape(1, 1, 3);

    /// CTAs that share global memory, alone or in clusters.
    static final List<Shape> GRIDS =
            List.of(new Shape(3, 1, 2), new Shape(4, 1, 1), new Shape(2, 2, 2), new Shape(4, 2, 2));

    /// Threads of a launch.
    ///
    /// @param ctas of the grid; with one, they share shared memory
    /// @param cluster CTAs of a cluster
    /// @param warps of a CTA
    record Shape(int ctas, int cluster, int warps) {
        boolean isGlobal() {
            return ctas > 1;
        }

        /// Threads that do something.
        int actors() {
            return 2 * ctas * warps;
        }

        int all() {
            return (1 << actors()) - 1;
        }
    }

    private static final int WORDS = 8;
    private static final int OBJECT = 8;

    /// So that each store has a byte of its own.
    private static final int MOST = 30;

    private static final List<String> SCOPES = List.of("cta", "gpu", "sys");
    private static final List<String> GRID_SCOPES =
            List.of("gpu", "gpu", "gpu", "sys", "cluster", "cta");

    /// An instruction and the threads that run it.
    ///
    /// @param actors bit 2 * (warp among those of the grid) + lane
    record Slot(Operation operation, int actors) {}

    /// What an instruction does.
    sealed interface Operation {
        /// Reads, writes or both.
        ///
        /// @param value what is stored, before the thread's number is added
        record Memory(
                boolean reads,
                boolean writes,
                boolean returns,
                MemoryOrder order,
                String scope,
                int at,
                int bytes,
                int value)
                implements Operation {}

        /// `fence`, or `membar` where it is sequentially consistent.
        record Fence(MemoryOrder order, String scope) implements Operation {}

        /// `bar.sync 0` of the CTA.
        record CtaBarrier() implements Operation {}

        /// `barrier.cluster` of the cluster.
        record ClusterBarrier() implements Operation {}

        /// `bar.arrive` of the first warp, `bar.sync` of the second.
        record HandOver(int number, int from, int to, boolean both) implements Operation {}

        /// `bar.warp.sync` of the actors.
        record WarpBarrier() implements Operation {}

        /// The warps let others run.
        record Yield() implements Operation {}

        /// `mbarrier.arrive`.
        record Arrive() implements Operation {}

        /// `mbarrier.test_wait.parity`.
        record TestWait(int parity) implements Operation {}

        /// `cp.async` to a word.
        record Copy(int at) implements Operation {}

        /// `cp.async.wait_all`.
        record CopyWait() implements Operation {}
    }

    // Random ones.

    /// How often a program of a kind does what races easily, in percent.
    private record Habits(int weak, int mixed, int barriers) {}

    /// A program for one CTA.
    static SharingProgram random(Random random) {
        return random(random, ONE_CTA);
    }

    /// A program for a grid.
    static SharingProgram randomGrid(Random random) {
        return random(random, GRIDS.get(random.nextInt(GRIDS.size())));
    }

    private static SharingProgram random(Random random, Shape shape) {
        int[] rates = {0, 3, 15};
        Habits habits =
                new Habits(
                        rates[random.nextInt(3)],
                        rates[random.nextInt(2)],
                        5 + rates[random.nextInt(3)]);
        List<Slot> slots = new ArrayList<>();
        int named = 0;
        int parts = 1 + random.nextInt(3);
        for (int part = 0; part < parts; part++) {
            if (random.nextInt(3) != 0) {
                pass(random, shape, slots);
            }
            for (int rest = random.nextInt(5); rest > 0; rest--) {
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

    private static Slot meeting(Random random, Shape shape) {
        return shape.cluster() > 1 && random.nextBoolean()
                ? new Slot(new Operation.ClusterBarrier(), shape.all())
                : new Slot(new Operation.CtaBarrier(), shape.all());
    }

    private static String scope(Random random, Shape shape) {
        List<String> scopes = shape.isGlobal() ? GRID_SCOPES : SCOPES;
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

    private static Slot one(int actor, Operation operation) {
        return new Slot(operation, 1 << actor);
    }

    private static Operation weak(boolean reads, int at, int slot) {
        return new Operation.Memory(
                reads, !reads, true, MemoryOrder.WEAK, "cta", at, 4, 8 * (slot + 1));
    }

    private static Operation strong(
            Random random, boolean reads, MemoryOrder order, String scope, int at, int slot) {
        boolean atomic = order == MemoryOrder.ACQ_REL || random.nextInt(4) == 0;
        return new Operation.Memory(
                reads || atomic, !reads || atomic, true, order, scope, at, 4, 8 * (slot + 1));
    }

    private static Operation update(Random random, String scope, int at, int slot) {
        MemoryOrder order = random.nextBoolean() ? MemoryOrder.RELAXED : MemoryOrder.RELEASE;
        return new Operation.Memory(
                true, true, random.nextBoolean(), order, scope, at, 4, 8 * (slot + 1));
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
        if (shape.isGlobal() && chosen >= 4 && chosen <= 7) {
            // Objects and copies are those of shared memory.
            chosen = chosen == 4 ? 0 : 8;
        }
        return switch (chosen) {
            case 0, 1 -> new Slot(fence(random, shape), some);
            case 2 -> new Slot(new Operation.WarpBarrier(), random.nextInt(4) == 0 ? one : warp);
            case 3 -> new Slot(new Operation.Yield(), random.nextInt(4) == 0 ? shape.all() : warp);
            case 4, 5 -> new Slot(new Operation.Arrive(), some);
            case 6 -> new Slot(new Operation.TestWait(random.nextInt(2)), some);
            case 7 ->
                    random.nextInt(100) < 3 * habits.weak
                            ? new Slot(new Operation.Copy(4 * random.nextInt(2)), one)
                            : new Slot(new Operation.CopyWait(), some);
            default -> new Slot(memory(random, shape, habits, index), some);
        };
    }

    private static Operation memory(Random random, Shape shape, Habits habits, int slot) {
        int[] sizes = {1, 1, 4, 8};
        int bytes = random.nextInt(100) < habits.mixed ? sizes[random.nextInt(sizes.length)] : 4;
        int at = random.nextInt(WORDS / bytes) * bytes;
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
                reads, atomic || !reads, returns, order, scope, at, bytes, 8 * (slot + 1));
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
                shape.isGlobal() ? scope(random, shape) : random.nextBoolean() ? "cta" : "gpu");
    }

    // As PTX.

    /// The program as PTX.
    ///
    /// @param text of the module
    /// @param slots by line, those that stand there
    record Text(String text, TreeMap<Integer, Integer> slots) {}

    Text ptx() {
        StringBuilder text =
                new StringBuilder(
                        """
                        .version 8.6
                        .target sm_90
                        .address_size 64
                        .visible .entry k(.param .u64 out)
                        """
                                + (shape.cluster() > 1
                                        ? ".explicitcluster .reqnctapercluster %d, 1, 1\n"
                                                .formatted(shape.cluster())
                                        : "")
                                + """
                                {
                                .reg .b64 %rd<9>; .reg .b32 %r<19>; .reg .b16 %h<3>; .reg .pred %p<9>;
                                .shared .align 16 .b8 tile[64];
                                ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %laneid;
                                mov.u32 %r3, tile; shr.u32 %r4, %r1, 5; mov.u32 %r15, %ctaid.x;
                                """
                                + " mad.lo.u32 %%r6, %%r15, %d, %%r4; mad.lo.u32 %%r5, %%r6, 2, %%r2;%n"
                                        .formatted(shape.warps())
                                + """
                                setp.gt.u32 %p1, %r2, 1; selp.u32 %r5, 31, %r5, %p1;
                                mad.lo.u32 %r7, %r4, 4, %r3;
                                setp.ne.u32 %p1, %r1, 0; mov.u64 %rd2, -1; mov.u32 %r8, 2;
                                @%p1 bra BEGIN;
                                st.shared.u64 [%r3], %rd2; mbarrier.init.shared.b64 [%r3+8], %r8;
                                BEGIN: st.shared.u32 [%r7+16], %r8;
                                bar.sync 0;
                                """);
        int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
        TreeMap<Integer, Integer> lines = new TreeMap<>();
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            for (String each : lines(shape, slot, i)) {
                boolean prepares = each.startsWith(" ");
                if (!prepares) {
                    lines.put(line, i);
                }
                text.append(each).append('\n');
                line++;
            }
        }
        return new Text(text.append("ret;\n}\n").toString(), lines);
    }

    private static List<String> lines(Shape shape, Slot slot, int index) {
        List<String> lines = new ArrayList<>();
        lines.add(
                " mov.u32 %%r9, %d; shr.u32 %%r9, %%r9, %%r5; and.b32 %%r9, %%r9, 1; setp.ne.u32 %%p2, %%r9, 0;"
                        .formatted(slot.actors()));
        switch (slot.operation()) {
            case Operation.Memory memory -> {
                lines.add(
                        " add.u32 %%r10, %%r5, %d; mul.lo.u32 %%r10, %%r10, 0x01010101; mov.b64 %%rd3, {%%r10, %%r10};"
                                .formatted(memory.value()));
                lines.add("@%p2 " + instruction(shape, memory));
            }
            case Operation.Fence(MemoryOrder order, String scope) -> {
                String name = order.name().toLowerCase(Locale.ROOT);
                lines.add("@%%p2 fence.%s.%s;".formatted(name, scope));
            }
            case Operation.CtaBarrier _ -> lines.add("bar.sync 0;");
            case Operation.ClusterBarrier _ -> {
                lines.add("barrier.cluster.arrive.aligned;");
                lines.add("barrier.cluster.wait.aligned;");
            }
            case Operation.HandOver(int number, int from, int to, boolean both) -> {
                lines.add(
                        " setp.eq.u32 %%p3, %%r4, %d; setp.eq.u32 %%p4, %%r4, %d;"
                                .formatted(from, to));
                lines.add("@%%p3 bar.%s %d, 64;".formatted(both ? "sync" : "arrive", number));
                lines.add("@%%p4 bar.sync %d, 64;".formatted(number));
            }
            case Operation.WarpBarrier _ -> {
                int lanes =
                        slot.actors() >>> 2 * (Integer.numberOfTrailingZeros(slot.actors()) / 2)
                                & 3;
                lines.add("@%%p2 bar.warp.sync %d;".formatted(lanes));
            }
            case Operation.Yield _ -> {
                int warps = 0;
                for (int warp = 0; warp < shape.ctas() * shape.warps(); warp++) {
                    warps |= (slot.actors() >>> 2 * warp & 3) != 0 ? 1 << warp : 0;
                }
                lines.add(
                        " mov.u32 %%r11, %d; shr.u32 %%r11, %%r11, %%r6; and.b32 %%r11, %%r11, 1; setp.eq.u32 %%p5, %%r11, 0;"
                                .formatted(warps));
                lines.add(" mov.u32 %%r12, 0; @%%p5 bra OVER%d;".formatted(index));
                lines.add(
                        " LOOP%d: ld.volatile.shared.u32 %%r13, [%%r7+16]; add.u32 %%r12, %%r12, 1; setp.lt.u32 %%p6, %%r12, %d; @%%p6 bra LOOP%d;"
                                .formatted(index, shape.isGlobal() ? 300 : 64, index));
                lines.add(" OVER%d:".formatted(index));
            }
            case Operation.Arrive _ ->
                    lines.add("@%%p2 mbarrier.arrive.shared.b64 _, [%%r3+%d];".formatted(OBJECT));
            case Operation.TestWait(int parity) ->
                    lines.add(
                            "@%%p2 mbarrier.test_wait.parity.shared.b64 %%p7, [%%r3+%d], %d;"
                                    .formatted(OBJECT, parity));
            case Operation.Copy(int at) ->
                    lines.add(
                            "@%%p2 cp.async.ca.shared.global [%%r3+%d], [%%rd1], 4;".formatted(at));
            case Operation.CopyWait _ -> lines.add("@%p2 cp.async.wait_all;");
        }
        return lines;
    }

    private static String instruction(Shape shape, Operation.Memory memory) {
        boolean weak = memory.order() == MemoryOrder.WEAK;
        String order =
                weak
                        ? ""
                        : "."
                                + memory.order().name().toLowerCase(Locale.ROOT)
                                + "."
                                + memory.scope();
        String type = ".b" + 8 * memory.bytes();
        String space = shape.isGlobal() ? "global" : "shared";
        String place = "[%s+%d]".formatted(shape.isGlobal() ? "%rd1" : "%r3", memory.at());
        String value = memory.bytes() == 8 ? "%rd3" : "%r10";
        String target = memory.bytes() == 8 ? "%rd4" : "%r14";
        if (memory.reads() && memory.writes()) {
            return memory.returns()
                    ? "atom%s.%s.exch%s %s, %s, %s;"
                            .formatted(order, space, type, target, place, value)
                    : "red%s.%s.or%s %s, %s;".formatted(order, space, type, place, value);
        }
        return memory.reads()
                ? "ld%s.%s%s %s, %s;".formatted(order, space, type, target, place)
                : "st%s.%s%s %s, %s;".formatted(order, space, type, place, value);
    }
}
