package dev.heddle.programs.fatbin;

/// One member of a fat binary.
///
/// @param kind what it holds
/// @param capability 90 for `sm_90` and `compute_90`
/// @param text the PTX; empty where it holds something else, which nothing here reads
public record DeviceImage(Kind kind, int capability, String text) {
    /// What a member holds.
    public enum Kind {
        /// Text for any device from its target on.
        PTX,
        /// Machine code (SASS) for one generation.
        CUBIN,
        /// Something else, such as input of link-time optimisation.
        OTHER
    }
}
