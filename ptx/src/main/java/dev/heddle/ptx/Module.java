package dev.heddle.ptx;

import dev.heddle.isa.PtxVersion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A PTX module: its header, and everything at its outermost level in order.
///
/// @param file the name it was parsed under
/// @param version of the language
/// @param target the first `.target`
/// @param addressSize 32 or 64 bits
/// @param items variables, functions and directives, in order
/// @param versionPosition where `.version` is, or the beginning
/// @param targetPosition where the first `.target` is, or the beginning
@SuppressWarnings("JavaLangClash") // PTX calls it a module
public record Module(
        String file,
        PtxVersion version,
        TargetDirective target,
        int addressSize,
        List<ModuleItem> items,
        SourcePosition versionPosition,
        SourcePosition targetPosition) {

    public Module {
        items = List.copyOf(items);
    }

    /// Its kernels and device functions, declarations included, in order.
    public List<Function> functions() {
        return of(Function.class);
    }

    /// Its variables, in order.
    public List<Variable> variables() {
        return of(Variable.class);
    }

    /// Its source files.
    public List<ModuleItem.SourceFile> files() {
        return of(ModuleItem.SourceFile.class);
    }

    /// The kernel of this name.
    public Optional<Function> entry(String name) {
        return functions().stream()
                .filter(function -> function.isEntry() && function.name().equals(name))
                .findFirst();
    }

    private <T> List<T> of(Class<T> kind) {
        List<T> found = new ArrayList<>();
        for (ModuleItem item : items) {
            if (kind.isInstance(item)) {
                found.add(kind.cast(item));
            }
        }
        return found;
    }
}
