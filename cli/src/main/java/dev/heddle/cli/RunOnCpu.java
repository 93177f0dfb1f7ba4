package dev.heddle.cli;

import dev.heddle.formats.InputException;
import dev.heddle.ptx.Demangler;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.KernelSupport;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What of a module `heddle run` would run on the CPU.
///
/// @param name    of the module, for messages
/// @param kernels what is known of each
/// @param trouble why nothing is known; empty otherwise
record RunOnCpu(String name, List<KernelSupport> kernels, String trouble) {

    static RunOnCpu of(Parsed parsed, String name) {
        try {
            BoundModule module = BoundModule.of(parsed);
            return new RunOnCpu(name, KernelSupport.of(module), "");
        } catch (InvalidModule e) {
            return new RunOnCpu(name, List.of(), "an assembler would reject the module");
        } catch (InputException e) {
            return new RunOnCpu(name, List.of(), String.valueOf(e.getMessage()));
        }
    }

    /// Kernels that would not run, or 1 where that is not known.
    int gaps() {
        return trouble.isEmpty()
                ? (int) kernels.stream().filter(kernel -> !kernel.runs()).count()
                : 1;
    }

    /// For people.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!trouble.isEmpty()) {
            lines.add("%s: not run: %s".formatted(name, trouble));
            return lines;
        }
        lines.add(
                "%s: %d of %d kernels run on the CPU"
                        .formatted(name, kernels.size() - gaps(), kernels.size()));
        for (KernelSupport kernel : kernels) {
            lines.add(
                    "  %-11s %s, %d instructions"
                            .formatted(
                                    kernel.runs() ? "runs" : "unsupported",
                                    Demangler.demangle(kernel.kernel()),
                                    kernel.sites()));
            kernel.unsupported().forEach(gap -> lines.add("    " + words(gap)));
            Fidelity fidelity = fidelity(kernel);
            if (!fidelity.assumed().isEmpty()) {
                lines.add("    fidelity: " + fidelity);
            }
        }
        return lines;
    }

    private static String words(KernelSupport.Gap gap) {
        StringBuilder words = new StringBuilder(gap.instruction());
        if (gap.line() > 0) {
            words.append(
                            gap.places() == 1
                                    ? " (line "
                                    : " (%d times, first in line ".formatted(gap.places()))
                    .append(gap.line())
                    .append(')');
        }
        return gap.reason().isEmpty() ? words.toString() : words + ": " + gap.reason();
    }

    private static Fidelity fidelity(KernelSupport kernel) {
        return Fidelity.of(kernel.instructions(), Generation.SM_90);
    }

    /// For programs.
    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("machine", "cpu");
        if (!trouble.isEmpty()) {
            object.put("trouble", trouble);
        }
        object.put("kernels", kernels.stream().map(RunOnCpu::json).toList());
        return object;
    }

    private static Map<String, Object> json(KernelSupport kernel) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kernel", kernel.kernel());
        object.put("name", Demangler.demangle(kernel.kernel()));
        object.put("runs", kernel.runs());
        object.put("instructions", kernel.sites());
        object.put("assumed", fidelity(kernel).assumed());
        object.put(
                "unsupported",
                kernel.unsupported().stream()
                        .map(
                                gap ->
                                        Map.of(
                                                "instruction", gap.instruction(),
                                                "line", gap.line(),
                                                "places", gap.places(),
                                                "reason", gap.reason()))
                        .toList());
        return object;
    }
}
