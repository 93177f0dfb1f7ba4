package dev.heddle.vm;

import dev.heddle.ptx.check.BoundModule;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Numerics;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.lowering.Lowering;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// What of a kernel the machines on the CPU run, as far as can be seen without running it: the
/// instructions of the kernel and of every function that it may call, whether a launch comes to
/// them or not.
///
/// @param kernel its name in PTX
/// @param sites how many instructions it and its functions have
/// @param instructions opcodes with their qualifiers
/// @param unsupported instructions that the machines do not run, each at its first place
public record KernelSupport(
        String kernel, int sites, SortedSet<String> instructions, List<Gap> unsupported) {
    public KernelSupport {
        instructions = new TreeSet<>(instructions);
        unsupported = List.copyOf(unsupported);
    }

    /// Something that the machines do not run.
    ///
    /// @param instruction its opcode with its qualifiers
    /// @param line of its first place in the module
    /// @param places how many there are
    /// @param reason in words; empty where the instruction says it all
    public record Gap(String instruction, int line, int places, String reason) {}

    /// Whether the machines run all of it.
    public boolean runs() {
        return unsupported.isEmpty();
    }

    /// That of every kernel of a module, in its order.
    public static List<KernelSupport> of(BoundModule module) {
        Program program = Lowering.lower(module);
        Generation generation = VirtualMachine.named(program);
        List<KernelSupport> kernels = new ArrayList<>();
        for (Code code : program.codes()) {
            if (code.kernel()) {
                kernels.add(new Search(program, generation).of(code));
            }
        }
        return kernels;
    }

    /// Walks what one kernel reaches.
    private static final class Search {
        private final Program program;
        private final Generation generation;
        private final Set<Integer> reached = new LinkedHashSet<>();
        private final List<Code> ahead = new ArrayList<>();
        private final SortedSet<String> instructions = new TreeSet<>();
        private final Set<Site> sites = new LinkedHashSet<>();
        private final List<Gap> gaps = new ArrayList<>();

        Search(Program program, Generation generation) {
            this.program = program;
            this.generation = generation;
        }

        KernelSupport of(Code kernel) {
            reach(kernel.index());
            while (!ahead.isEmpty()) {
                for (Block block : ahead.removeLast().blocks()) {
                    block.steps().forEach(this::step);
                    exit(block.exit());
                }
            }
            return new KernelSupport(kernel.name(), sites.size(), instructions, gaps);
        }

        private void reach(int index) {
            if (reached.add(index)) {
                ahead.add(program.codes().get(index));
            }
        }

        private void step(Step step) {
            see(step.site());
            if (step instanceof Step.Unsupported(Site site, _, String reason)) {
                gap(site, reason);
            }
        }

        private void exit(Exit exit) {
            see(exit.site());
            switch (exit) {
                case Exit.Call call when call.callee() >= 0 -> reach(call.callee());
                // An address may be that of any function.
                case Exit.Call call when call.address() != null ->
                        program.codes().stream()
                                .filter(code -> !code.kernel())
                                .forEach(code -> reach(code.index()));
                case Exit.Synchronize joint
                        when joint.joint() instanceof Collective.Product product
                                && Numerics.of(product.form(), generation).isEmpty() ->
                        gap(joint.site(), "its arithmetic on " + generation + " is not known");
                default -> {}
            }
        }

        private void see(@Nullable Site site) {
            if (site != null && sites.add(site)) {
                instructions.add(site.mnemonic());
            }
        }

        private void gap(Site site, String reason) {
            String instruction = site.mnemonic();
            for (int i = 0; i < gaps.size(); i++) {
                Gap gap = gaps.get(i);
                if (gap.instruction().equals(instruction)) {
                    gaps.set(
                            i,
                            new Gap(
                                    instruction,
                                    Math.min(gap.line(), site.position().line()),
                                    gap.places() + 1,
                                    gap.reason()));
                    return;
                }
            }
            // The reason is the first half of a sentence.
            String words = reason.contains(instruction) ? "" : reason.replaceFirst(",$", "");
            gaps.add(new Gap(instruction, site.position().line(), 1, words));
        }
    }
}
