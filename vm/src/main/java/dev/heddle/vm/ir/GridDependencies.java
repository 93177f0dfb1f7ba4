package dev.heddle.vm.ir;

import dev.heddle.ptx.instruction.InstructionKind;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the kernels of a program say of the launches before and behind them (`griddepcontrol`, PTX
/// ISA 9.7.13.13).
///
/// @param kernels those that say something, by their numbers
public record GridDependencies(Map<Integer, Dependency> kernels) {
    private static final String START = "launch_dependents";
    private static final String WAIT = "wait";

    public GridDependencies {
        kernels = Map.copyOf(kernels);
    }

    /// What one kernel says.
    ///
    /// @param startsNext whether it lets the next launch begin before it has ended
    /// @param waits whether it waits for the launch before it
    /// @param early where it waits, the instructions that a thread executes before, and not behind
    public record Dependency(boolean startsNext, boolean waits, Set<Site> early) {
        /// Of a kernel without `griddepcontrol`, and of all that is no kernel.
        public static final Dependency NONE = new Dependency(false, false, Set.of());

        public Dependency {
            early = Set.copyOf(early);
        }

        /// Whether an instruction is executed while the launch before may still run.
        public boolean isEarly(@Nullable Site site) {
            return !waits || site != null && early.contains(site);
        }
    }

    /// Those of a program.
    public static GridDependencies of(Program program) {
        Map<Integer, Dependency> kernels = new HashMap<>();
        if (program.sites().stream().anyMatch(site -> is(site, START) || is(site, WAIT))) {
            Set<Integer> starting = saying(program, START);
            Set<Integer> waiting = saying(program, WAIT);
            for (Code code : program.codes()) {
                if (code.kernel()) {
                    Set<Site> early = early(code, waiting);
                    kernels.put(
                            code.index(),
                            new Dependency(
                                    starting.contains(code.index()),
                                    waiting.contains(code.index()),
                                    early));
                }
            }
        }
        return new GridDependencies(kernels);
    }

    /// What a kernel says.
    public Dependency of(Code kernel) {
        return kernels.getOrDefault(kernel.index(), Dependency.NONE);
    }

    private static boolean is(Site site, String action) {
        return site.kind() == InstructionKind.GRID_DEPENDENCY && site.qualifiers().contains(action);
    }

    /// The functions that may execute an instruction, themselves or in what they call.
    private static Set<Integer> saying(Program program, String action) {
        Set<Integer> found = new HashSet<>();
        boolean grows = true;
        while (grows) {
            grows = false;
            for (Code code : program.codes()) {
                grows |=
                        code.blocks().stream().anyMatch(block -> first(block, action, found) >= 0)
                                && found.add(code.index());
            }
        }
        return found;
    }

    /// Where a block executes an instruction, or calls what may: the number of the step, or that
    /// behind the last for its end; -1 where it does not.
    private static int first(Block block, String action, Set<Integer> saying) {
        List<Step> steps = block.steps();
        for (int i = 0; i < steps.size(); i++) {
            if (is(steps.get(i).site(), action)) {
                return i;
            }
        }
        return block.exit() instanceof Exit.Call call && mayCall(call, action, saying)
                ? steps.size()
                : -1;
    }

    /// In doubt, what is called waits, and starts nothing: nobody is accused for it.
    private static boolean mayCall(Exit.Call call, String action, Set<Integer> saying) {
        return call.address() == null
                ? saying.contains(call.callee())
                : action.equals(WAIT) && !saying.isEmpty();
    }

    private static Set<Site> early(Code code, Set<Integer> waiting) {
        List<Block> waits =
                code.blocks().stream().filter(block -> first(block, WAIT, waiting) >= 0).toList();
        BitSet late = code.behind(waits);
        Set<Site> early = new HashSet<>();
        for (Block block : code.blocks()) {
            int wait = first(block, WAIT, waiting);
            BitSet next = code.behind(List.of(block));
            boolean mayWait = wait >= 0 || waits.stream().anyMatch(each -> next.get(each.number()));
            if (mayWait && !late.get(block.number())) {
                int end = wait >= 0 ? wait : block.steps().size();
                block.steps().subList(0, end).forEach(step -> early.add(step.site()));
            }
        }
        return early;
    }
}
