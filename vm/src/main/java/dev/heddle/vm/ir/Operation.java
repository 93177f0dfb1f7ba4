package dev.heddle.vm.ir;

import java.lang.invoke.MethodHandle;
import java.util.List;

/// A pure static method of `dev.heddle.vm.semantics`.
///
/// @param owner the class that declares it
/// @param name of the method, unique over all semantic classes
/// @param parameters their carriers
/// @param result its carrier
/// @param handle to the method
public record Operation(
        Class<?> owner,
        String name,
        List<Carrier> parameters,
        Carrier result,
        MethodHandle handle) {
    public Operation {
        parameters = List.copyOf(parameters);
    }

    @Override
    public String toString() {
        return name;
    }
}
