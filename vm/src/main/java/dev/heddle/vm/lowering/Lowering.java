package dev.heddle.vm.lowering;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.SourceLines;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Site;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Lowers whole modules.
public final class Lowering {
    private Lowering() {}

    /// The program of a module whose variables come first in global memory.
    public static Program lower(BoundModule module) {
        return lower(module, Addresses.GLOBAL);
    }

    /// What some kernels of a module reach: functions that they call, or whose address they or a
    /// variable of the module may hold. The others stay as they are declared, without blocks.
    ///
    /// @param kernels the names of entries
    public static Program lower(BoundModule module, Collection<String> kernels) {
        return lower(module, Addresses.GLOBAL, kernels);
    }

    /// Bytes that the variables of a module take in global memory.
    public static int variableBytes(Module module) {
        return new ModuleLayout(module, Addresses.GLOBAL).image().length;
    }

    /// The program of a module. Instructions beyond the machine become steps that report
    /// themselves when reached.
    ///
    /// @param base the address of its variables: a multiple of 256
    public static Program lower(BoundModule bound, long base) {
        return lower(bound, base, null);
    }

    private static Program lower(
            BoundModule bound, long base, @Nullable Collection<String> kernels) {
        Module module = bound.module();
        ModuleLayout layout = new ModuleLayout(module, base);
        SourceLines lines = SourceLines.of(module);
        if (kernels == null) {
            layout.reachAll();
        } else {
            kernels.forEach(layout::functionIndex);
        }
        Code[] lowered = new Code[layout.bodies().size()];
        List<Site> sites = new ArrayList<>();
        for (int index = layout.nextReached(); index >= 0; index = layout.nextReached()) {
            Function function = layout.bodies().get(index);
            lowered[index] =
                    CompareAndSwapSeeds.of(
                            new FunctionLowering(layout, lines, sites)
                                    .lower(index, function, bound.instructions(function)));
        }
        List<Code> codes = new ArrayList<>();
        for (int index = 0; index < lowered.length; index++) {
            Function function = layout.bodies().get(index);
            codes.add(
                    lowered[index] == null
                            ? Code.declared(index, function.name(), LaunchBoundsReader.of(function))
                            : lowered[index]);
        }
        return new Program(
                module.target().target(),
                codes,
                base,
                layout.image(),
                layout.constantBytes(),
                layout.symbols(),
                sites,
                layout.reservedShared());
    }
}
