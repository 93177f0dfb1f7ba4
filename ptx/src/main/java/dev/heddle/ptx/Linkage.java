package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

/// Who may see a symbol (PTX ISA 11.6).
public enum Linkage {
    /// Only this module.
    INTERNAL(""),
    EXTERN("extern"),
    VISIBLE("visible"),
    WEAK("weak"),
    COMMON("common");

    private final String keyword;

    Linkage(String keyword) {
        this.keyword = keyword;
    }

    /// The directive without its dot; empty for a symbol of this module only.
    public String keyword() {
        return keyword;
    }

    /// The linkage with this keyword, or null.
    public static @Nullable Linkage of(String keyword) {
        return switch (keyword) {
            case "extern" -> EXTERN;
            case "visible" -> VISIBLE;
            case "weak" -> WEAK;
            case "common" -> COMMON;
            default -> null;
        };
    }
}
