package dev.heddle.vm.report;

/// Ends a launch: carries the finding to whoever started it.
public final class KernelFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Finding finding;

    /// A fault with its finding.
    public KernelFault(Finding finding) {
        super(finding.message(), null, false, false);
        this.finding = finding;
    }

    /// What happened.
    public Finding finding() {
        return finding;
    }
}
