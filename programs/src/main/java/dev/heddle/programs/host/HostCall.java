package dev.heddle.programs.host;

/// A call in the host's code.
///
/// @param function that made it; `a.out+0x1149` where its name is not known
/// @param source its line, `vadd.cu:12`; empty without debug information
public record HostCall(String function, String source) {
    /// Where nothing is known.
    public static final HostCall UNKNOWN = new HostCall("", "");

    /// As people read it: `main at vadd.cu:12`; empty where nothing is known.
    @Override
    public String toString() {
        return source.isEmpty() ? function : function + " at " + source;
    }
}
