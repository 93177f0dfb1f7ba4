package dev.heddle.isa;

import java.util.ArrayList;
import java.util.List;

/// Every legal form.
public final class Forms {
    private Forms() {}

    /// All forms of all families, in the manual's order.
    public static List<Form> all() {
        List<Form> forms = new ArrayList<>();
        for (Family family : Family.values()) {
            forms.addAll(of(family));
        }
        return List.copyOf(forms);
    }

    /// All forms of a family, in the manual's order.
    public static List<Form> of(Family family) {
        List<Form> forms = new ArrayList<>();
        for (Syntax syntax : Manual.syntaxes(family)) {
            forms.addAll(syntax.forms());
        }
        return List.copyOf(forms);
    }

    /// The forms of a family that code with that `.target` and `.version` may use.
    public static List<Form> of(Family family, Target target, PtxVersion version) {
        return of(family).stream()
                .filter(form -> form.requirement().targets().include(target))
                .filter(form -> version.atLeast(form.requirement().version()))
                .toList();
    }
}
