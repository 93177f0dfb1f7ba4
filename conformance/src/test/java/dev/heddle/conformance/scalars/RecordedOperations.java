package dev.heddle.conformance.scalars;

import dev.heddle.conformance.instructions.LoweredOperations;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.lowering.Lowering;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The operations of the forms that a GPU recorded: what these forms are lowered to, without what
/// brings operands and results.
final class RecordedOperations {
    /// By the text of the form.
    private static final Map<String, Set<Operation>> OF_FORMS = lower();

    private RecordedOperations() {}

    /// Those of all forms.
    static Set<Operation> all() {
        Set<Operation> all = new HashSet<>();
        OF_FORMS.values().forEach(all::addAll);
        return all;
    }

    /// Forms that have every operation between them.
    static Set<String> formsOfEachOperation() {
        Set<String> forms = new HashSet<>();
        Set<Operation> seen = new HashSet<>();
        OF_FORMS.forEach(
                (form, operations) -> {
                    if (seen.addAll(operations)) {
                        forms.add(form);
                    }
                });
        return forms;
    }

    private static Map<String, Set<Operation>> lower() {
        List<ScalarForm> forms = ScalarForm.all();
        StringBuilder module =
                new StringBuilder(".version 8.6\n.target sm_90a\n.address_size 64\n");
        for (int i = 0; i < forms.size(); i++) {
            module.append(".visible .entry f%d() {\n".formatted(i))
                    .append(forms.get(i).declarations())
                    .append(forms.get(i).instruction())
                    .append("\nret;\n}\n");
        }
        List<Code> codes =
                Lowering.lower(BoundModule.of(Ptx.parse(module.toString(), "forms.ptx"))).codes();
        Map<String, Set<Operation>> operations = new LinkedHashMap<>();
        for (int i = 0; i < forms.size(); i++) {
            LoweredOperations lowered = LoweredOperations.none();
            lowered.add(codes.get(i));
            operations.put(forms.get(i).text(), lowered.operations());
        }
        return operations;
    }
}
