package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

/// The state spaces a variable may be declared in (PTX ISA 5.1).
public enum StateSpace {
    REG,
    SREG,
    CONST,
    GLOBAL,
    LOCAL,
    PARAM,
    SHARED,
    TEX;

    private final String keyword;

    StateSpace() {
        keyword = name().toLowerCase(java.util.Locale.ROOT);
    }

    /// The directive without its dot: `global`.
    public String keyword() {
        return keyword;
    }

    /// The space with this keyword, or null.
    public static @Nullable StateSpace of(String keyword) {
        return switch (keyword) {
            case "reg" -> REG;
            case "sreg" -> SREG;
            case "const" -> CONST;
            case "global" -> GLOBAL;
            case "local" -> LOCAL;
            case "param" -> PARAM;
            case "shared" -> SHARED;
            case "tex" -> TEX;
            default -> null;
        };
    }
}
