package dev.heddle.cli;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.ptx.instruction.BoundInstruction;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which forms the PTX of a program uses, and at how many places.
final class UsedForms {
    private final Map<Form, Integer> places = new HashMap<>();

    private UsedForms() {}

    /// Those of a PTX file or of the modules inside an executable.
    ///
    /// @throws UsageError where it cannot be read, or an assembler would reject a module
    static UsedForms in(String name) {
        Path file = Path.of(name);
        UsedForms used = new UsedForms();
        try {
            List<PtxSource> modules = PtxSource.of(file);
            modules.forEach(used::add);
        } catch (IOException e) {
            throw new UsageError(InputFault.of(file));
        } catch (InputException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
        return used;
    }

    private void add(PtxSource source) {
        try {
            BoundModule module = BoundModule.of(Ptx.parse(source.text(), source.name()));
            for (Function function : module.module().functions()) {
                if (function.body() != null) {
                    for (BoundInstruction each : module.instructions(function)) {
                        if (each.isProduct()) {
                            places.merge(each.product(), 1, Integer::sum);
                        }
                    }
                }
            }
        } catch (InvalidModule e) {
            throw new UsageError(
                    "%s: an assembler would reject it: heddle check %s says why"
                            .formatted(source.name(), source.name()));
        }
    }

    /// At how many places a form is.
    int places(Form form) {
        return places.getOrDefault(form, 0);
    }
}
