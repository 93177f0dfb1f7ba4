package dev.heddle.vm.shadow;

/// What was over for who made an operation.
interface Past {
    /// How far a thread was.
    ///
    /// @param home the CTA of who made the operation
    int of(int home, int cta, int thread);
}
