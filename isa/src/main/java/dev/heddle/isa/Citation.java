package dev.heddle.isa;

/// Where the manual says so.
///
/// @param section section number of PTX ISA 9.1
/// @param figures the figures there, as `79` or `136, 137`; empty if none
public record Citation(String section, String figures) {
    /// `PTX ISA 9.7.14.5.8, figure 79`
    @Override
    public String toString() {
        String text = "PTX ISA " + section;
        return figures.isEmpty()
                ? text
                : text + (figures.contains(",") ? ", figures " : ", figure ") + figures;
    }
}
