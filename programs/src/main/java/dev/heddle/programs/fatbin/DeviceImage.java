package dev.heddle.programs.fatbin;

/// One member of a fat binary.
///
/// @param kind what it holds
/// @param capability 90 for `sm_90` and `compute_90`
/// @param bytes PTX text, or the ELF file of an assembled one
@SuppressWarnings("ArrayRecordComponent")
public record DeviceImage(Kind kind, int capability, byte[] bytes) {
    /// What a member holds.
    public enum Kind {
        /// Text for any device from its target on.
        PTX,
        /// Machine code (SASS) for one generation.
        CUBIN,
        /// Something else, such as input of link-time optimisation.
        OTHER
    }

    /// The PTX text.
    public String text() {
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
}
