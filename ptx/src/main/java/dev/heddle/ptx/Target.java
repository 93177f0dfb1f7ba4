package dev.heddle.ptx;

import java.util.List;

/// The `.target` of a module: an architecture and platform options (PTX ISA 11.1.2).
///
/// @param names as written, in order: `sm_90a`, `texmode_independent`, `debug`
public record Target(List<String> names) {

    public Target {
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

    /// The number in the architecture's name: 90 for `sm_90a`; 0 where none is given.
    public int number() {
        int number = 0;
        String name = architecture();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= '0' && c <= '9') {
                number = Math.min(number * 10 + (c - '0'), 99_999);
            }
        }
        return number;
    }

    /// `a` for architecture-specific features, `f` for family-specific ones, else `0`.
    public char suffix() {
        String name = architecture();
        char last = name.isEmpty() ? '0' : name.charAt(name.length() - 1);
        return last == 'a' || last == 'f' ? last : '0';
    }
}
