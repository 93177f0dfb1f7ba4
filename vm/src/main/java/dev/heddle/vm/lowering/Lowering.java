package dev.heddle.vm.lowering;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Lowers whole modules.
public final class Lowering {
    private Lowering() {}

    /// The program of a module whose variables come first in global memory.
    public static Program lower(BoundModule module) {
        return lower(module, Addresses.GLOBAL);
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
        Module module = bound.module();
        ModuleLayout layout = new ModuleLayout(module, base);
        Map<Integer, String> files = new HashMap<>();
        for (ModuleItem.SourceFile file : module.files()) {
            files.put(file.index(), file.name());
        }
        List<Code> codes = new ArrayList<>();
        List<Site> sites = new ArrayList<>();
        for (Function function : layout.bodies()) {
            codes.add(
                    new FunctionLowering(layout, files, sites)
                            .lower(codes.size(), function, bound.instructions(function)));
        }
        List<Code> checked = codes.stream().map(DefinednessInstrumentation::of).toList();
        boolean same = true;
        for (int i = 0; i < codes.size(); i++) {
            same &= checked.get(i) == codes.get(i);
        }
        Program instrumented =
                same
                        ? null
                        : new Program(
                                module,
                                checked,
                                base,
                                layout.image(),
                                layout.constantBytes(),
                                layout.symbols(),
                                sites,
                                null);
        return new Program(
                module,
                codes,
                base,
                layout.image(),
                layout.constantBytes(),
                layout.symbols(),
                sites,
                instrumented);
    }
}
