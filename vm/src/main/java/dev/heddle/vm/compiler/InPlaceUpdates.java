package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Loads of shared memory behind which lanes store where they, or others of the same loads, have
/// loaded, with no barrier between: sorts, sums and scans in place.
///
/// Who stores must know who has read there. Where that is noted by rows, Java looks at the store;
/// so these loads are stamped word by word.
final class InPlaceUpdates {
    private final Code function;

    /// By block, the stores that lanes may come to from its start before they meet at a barrier.
    private final List<Set<MemoryEmitter.Plain>> ahead = new ArrayList<>();

    private final Set<MemoryEmitter.Plain> updates = new HashSet<>();

    private InPlaceUpdates(Code function) {
        this.function = function;
        function.blocks().forEach(_ -> ahead.add(new HashSet<>()));
    }

    /// The loads of a kernel that are to be stamped.
    static Set<Step> loads(Code function) {
        InPlaceUpdates found = new InPlaceUpdates(function);
        found.lookAhead();
        for (Block block : function.blocks()) {
            found.visit(
                    block,
                    (load, stores) ->
                            stores.stream()
                                    .filter(store -> isSame(load, store))
                                    .forEach(found.updates::add));
        }
        Set<Step> loads = new HashSet<>();
        for (Block block : function.blocks()) {
            found.visit(
                    block,
                    (load, stores) -> {
                        if (stores.stream().anyMatch(found.updates::contains)) {
                            loads.add(load.step());
                        }
                    });
        }
        return loads;
    }

    /// What is done with a load and the stores behind it.
    private interface Visitor {
        void visit(MemoryEmitter.Plain load, Set<MemoryEmitter.Plain> stores);
    }

    private void lookAhead() {
        boolean isSettled = false;
        while (!isSettled) {
            isSettled = true;
            for (Block block : function.blocks()) {
                Set<MemoryEmitter.Plain> stores = visit(block, (_, _) -> {});
                isSettled &= !ahead.get(block.number()).addAll(stores);
            }
        }
    }

    /// Goes through a block from its end. Returns the stores from its start on.
    private Set<MemoryEmitter.Plain> visit(Block block, Visitor visitor) {
        Set<MemoryEmitter.Plain> stores = new HashSet<>();
        if (!isBarrier(block.exit())) {
            block.exit().successors().forEach(next -> stores.addAll(ahead.get(next)));
        }
        for (Step step : block.steps().reversed()) {
            MemoryEmitter.Plain plain = MemoryEmitter.plain(step);
            if (plain != null && !plain.global()) {
                if (plain.store()) {
                    stores.add(plain);
                } else {
                    visitor.visit(plain, stores);
                }
            }
        }
        return stores;
    }

    private static boolean isBarrier(Exit exit) {
        return exit instanceof Exit.Synchronize joint
                && joint.joint() instanceof Collective.Barrier;
    }

    /// Whether a store is one of words that a load has loaded, as far as registers tell.
    private static boolean isSame(MemoryEmitter.Plain load, MemoryEmitter.Plain store) {
        return load.base().equals(store.base())
                && load.offset() < store.offset() + store.bytes()
                && store.offset() < load.offset() + load.bytes();
    }
}
