package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Random programs for clusters whose threads do something between their arrival at the cluster's
/// barrier and their wait, some of them behind a relaxed arrival.
final class SplitBarriers {
    private static final List<String> ORDERS = List.of("", ".release", ".relaxed", ".relaxed");

    private final Random random;
    private final Shape shape;
    private final List<Slot> slots = new ArrayList<>();

    // How many instructions there are yet before the wait, or -1.
    private int left = -1;

    private SplitBarriers(Random random, Shape shape) {
        this.random = random;
        this.shape = shape;
    }

    static SharingProgram random(Random random) {
        // The first boolean is the same for all small seeds.
        SharingProgram program =
                random.nextInt(3) == 0
                        ? RandomPrograms.randomRemoteCopies(random)
                        : RandomPrograms.randomClusters(random);
        SplitBarriers split = new SplitBarriers(random, program.shape());
        for (Slot slot : program.slots()) {
            split.add(slot);
        }
        split.await();
        return new SharingProgram(program.shape(), split.slots);
    }

    private void add(Slot slot) {
        boolean isBarrier = slot.operation() instanceof Operation.ClusterBarrier;
        if (isBarrier || left == 0) {
            await();
        }
        if (isBarrier || left < 0 && random.nextInt(6) == 0) {
            arrive();
        }
        if (!isBarrier) {
            slots.add(slot);
            left -= left > 0 ? 1 : 0;
        }
    }

    private void arrive() {
        String order = ORDERS.get(random.nextInt(ORDERS.size()));
        if (order.equals(".relaxed") && random.nextBoolean()) {
            MemoryOrder kind = random.nextBoolean() ? MemoryOrder.ACQ_REL : MemoryOrder.RELEASE;
            String scope = random.nextInt(4) == 0 ? "cta" : "cluster";
            int actors = random.nextBoolean() ? shape.all() : 1 << random.nextInt(shape.actors());
            slots.add(new Slot(new Operation.Fence(kind, scope), actors));
        }
        slots.add(new Slot(new Operation.ClusterArrive(order), shape.all()));
        left = random.nextInt(4);
    }

    private void await() {
        if (left >= 0) {
            slots.add(new Slot(new Operation.ClusterWait(), shape.all()));
        }
        left = -1;
    }
}
