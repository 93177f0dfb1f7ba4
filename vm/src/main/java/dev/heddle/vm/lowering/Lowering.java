package dev.heddle.vm.lowering;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
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

    /// The program of a module. Instructions beyond the machine become steps that report
    /// themselves
    /// when reached.
    public static Program lower(Module module) {
        ModuleLayout layout = new ModuleLayout(module);
        Map<Integer, String> files = new HashMap<>();
        for (ModuleItem.SourceFile file : module.files()) {
            files.put(file.index(), file.name());
        }
        List<Code> codes = new ArrayList<>();
        List<Site> sites = new ArrayList<>();
        for (Function function : layout.bodies()) {
            codes.add(new FunctionLowering(layout, files, sites).lower(codes.size(), function));
        }
        List<Code> checked = codes.stream().map(CheckedForm::of).toList();
        Program instrumented =
                checked.equals(codes)
                        ? null
                        : new Program(
                                module,
                                checked,
                                layout.image(),
                                layout.constantBytes(),
                                layout.symbols(),
                                sites,
                                null);
        return new Program(
                module,
                codes,
                layout.image(),
                layout.constantBytes(),
                layout.symbols(),
                sites,
                instrumented);
    }
}
