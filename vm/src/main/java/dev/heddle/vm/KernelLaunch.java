package dev.heddle.vm;

import dev.heddle.formats.InputException;

import java.util.List;

/// A kernel and how it is started.
public record KernelLaunch(Kernel kernel, Launch launch) {

    /// Refuses launches that do not fit their kernels, or are not of one module.
    ///
    /// @throws IllegalArgumentException that says which and why
    @SuppressWarnings("ReferenceEquality") // a module that was lowered twice has variables twice
    public static void requireFit(List<KernelLaunch> launches) {
        if (launches.isEmpty()) {
            throw new IllegalArgumentException("no launch to run");
        }
        KernelLaunch first = launches.getFirst();
        for (int i = 0; i < launches.size(); i++) {
            KernelLaunch one = launches.get(i);
            if (one.kernel.program() != first.kernel.program()) {
                throw new IllegalArgumentException(
                        "kernel %s is of another module than %s: launches that run together share one"
                                .formatted(one.kernel.code().name(), first.kernel.code().name()));
            }
            try {
                one.kernel.requireFit(one.launch);
            } catch (InputException e) {
                if (launches.size() == 1) {
                    throw e;
                }
                throw new InputException("launch %d: %s".formatted(i, e.getMessage()), e);
            }
        }
    }
}
