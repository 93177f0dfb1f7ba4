package dev.heddle.ptx;

import dev.heddle.isa.Requirement;
import dev.heddle.isa.Target;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The `.target` of a module: an architecture and platform options (PTX ISA 11.1.2).
///
/// @param names as written, in order: `sm_90a`, `texmode_independent`, `debug`
public record TargetDirective(List<String> names) {

    public TargetDirective {
        names = List.copyOf(names);
    }

    /// The architecture's name (`sm_90a`), or an empty text where none is given.
    public String architecture() {
        for (String name : names) {
            if (name.startsWith("sm_") || name.startsWith("compute_")) {
                return name;
            }
        }
        return "";
    }

    /// The architecture, or null where none is given or there is none of that name.
    public @Nullable Target target() {
        String name = architecture().replace("compute_", "sm_");
        return Target.exists(name) ? Target.parse(name) : null;
    }

    /// Whether it is among these targets. An unknown one counts as any: that it is unknown is said
    /// elsewhere, once.
    public boolean isAmong(Requirement.Targets targets) {
        Target target = target();
        return target == null || targets.include(target);
    }

    /// Whether it is this architecture or a later one, or unknown.
    public boolean isAtLeast(int number) {
        return isAmong(new Requirement.AtLeast(number));
    }
}
