package dev.heddle.explorer;

import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Requirement;
import dev.heddle.isa.Target;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Every form, for the page to choose from.
final class Catalogue {
    /// What people ask for most.
    static final Form START = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");

    private Catalogue() {}

    /// The catalogue of the server, which has every form.
    static Map<String, Object> ofAll() {
        return of(Map.of());
    }

    /// The forms by family: shape, the rest of the opcode, where A comes from, the index of what it
    /// requires, and the bundle of an exported site that it is in.
    ///
    /// @param files the bundle of each form that a site has; empty of the server
    static Map<String, Object> of(Map<Form, String> files) {
        Map<String, Integer> requirements = new LinkedHashMap<>();
        List<Object> texts = new ArrayList<>();
        List<Object> families = new ArrayList<>();
        for (Family family : Family.values()) {
            List<Object> forms = new ArrayList<>();
            for (Form form : Forms.of(family)) {
                Requirement requirement = form.requirement();
                Integer index = requirements.get(requirement.toString());
                if (index == null) {
                    index = texts.size();
                    requirements.put(requirement.toString(), index);
                    texts.add(requirement(requirement));
                }
                String shape = form.shape().toString();
                String head = family.mnemonic() + ".sync.aligned." + shape;
                forms.add(
                        List.of(
                                shape,
                                form.opcode().substring(head.length()),
                                form.aSource().word(),
                                index,
                                files.getOrDefault(form, "")));
            }
            families.add(
                    Map.of("name", family.mnemonic(), "section", family.section(), "forms", forms));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("families", families);
        document.put("requirements", texts);
        document.put("targets", Target.all().stream().map(Target::toString).toList());
        return document;
    }

    private static Map<String, Object> requirement(Requirement requirement) {
        return Map.of(
                "text",
                requirement.toString(),
                "targets",
                requirement.supported().stream().map(Target::toString).toList());
    }
}
