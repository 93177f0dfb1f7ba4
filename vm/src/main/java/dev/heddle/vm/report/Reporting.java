package dev.heddle.vm.report;

/// What becomes of the findings of a launch.
///
/// @param scope whether the first ends it
/// @param known findings that are passed over
public record Reporting(Scope scope, Suppressions known) {
    /// The first finding ends the launch.
    public static final Reporting FIRST = new Reporting(Scope.FIRST, Suppressions.NONE);

    /// How many findings are wanted.
    public enum Scope {
        /// The first, which ends the launch.
        FIRST,
        /// All: the launch goes on as far as it can.
        ALL
    }

    /// Whether launches behind what was found are left out.
    public boolean ends(Found found) {
        return !found.findings().isEmpty() && (scope == Scope.FIRST || found.isCut());
    }

    /// The same with findings that are passed over.
    public Reporting passing(Suppressions others) {
        return new Reporting(scope, others);
    }
}
