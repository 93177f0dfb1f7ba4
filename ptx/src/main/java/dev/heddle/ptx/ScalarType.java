package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// The types a register, a variable or an instruction may have (PTX ISA 5.2), opaque references
/// (5.3) included.
public enum ScalarType {
    B8(Kind.BITS, 8),
    B16(Kind.BITS, 16),
    B32(Kind.BITS, 32),
    B64(Kind.BITS, 64),
    B128(Kind.BITS, 128),
    S8(Kind.SIGNED, 8),
    S16(Kind.SIGNED, 16),
    S32(Kind.SIGNED, 32),
    S64(Kind.SIGNED, 64),
    U8(Kind.UNSIGNED, 8),
    U16(Kind.UNSIGNED, 16),
    U32(Kind.UNSIGNED, 32),
    U64(Kind.UNSIGNED, 64),
    F16(Kind.FLOAT, 16),
    F16X2(Kind.FLOAT, 32),
    F32(Kind.FLOAT, 32),
    F64(Kind.FLOAT, 64),
    BF16(Kind.ALTERNATE, 16),
    BF16X2(Kind.ALTERNATE, 32),
    TF32(Kind.ALTERNATE, 32),
    E4M3(Kind.ALTERNATE, 8),
    E5M2(Kind.ALTERNATE, 8),
    E2M3(Kind.ALTERNATE, 8),
    E3M2(Kind.ALTERNATE, 8),
    E2M1(Kind.ALTERNATE, 8),
    UE8M0(Kind.ALTERNATE, 8),
    E4M3X2(Kind.ALTERNATE, 16),
    E5M2X2(Kind.ALTERNATE, 16),
    E2M3X2(Kind.ALTERNATE, 16),
    E3M2X2(Kind.ALTERNATE, 16),
    E2M1X2(Kind.ALTERNATE, 8),
    UE8M0X2(Kind.ALTERNATE, 16),
    E4M3X4(Kind.ALTERNATE, 32),
    E5M2X4(Kind.ALTERNATE, 32),
    E2M3X4(Kind.ALTERNATE, 32),
    E3M2X4(Kind.ALTERNATE, 32),
    E2M1X4(Kind.ALTERNATE, 16),
    S2F6X2(Kind.ALTERNATE, 16),
    U16X2(Kind.UNSIGNED, 32),
    S16X2(Kind.SIGNED, 32),
    F32X2(Kind.FLOAT, 64),
    PRED(Kind.PREDICATE, 1),
    TEXREF(Kind.OPAQUE, 64),
    SAMPLERREF(Kind.OPAQUE, 64),
    SURFREF(Kind.OPAQUE, 64);

    /// How the bits of a type are read.
    public enum Kind {
        BITS,
        SIGNED,
        UNSIGNED,
        FLOAT,
        /// Floating and fixed point types that live in bit-size registers (PTX ISA 5.2.3, 5.2.5).
        ALTERNATE,
        PREDICATE,
        OPAQUE
    }

    private static final Map<String, ScalarType> BY_KEYWORD = new HashMap<>();

    static {
        for (ScalarType type : values()) {
            BY_KEYWORD.put(type.keyword, type);
        }
    }

    private final Kind kind;
    private final int bits;
    private final String keyword;

    ScalarType(Kind kind, int bits) {
        this.kind = kind;
        this.bits = bits;
        this.keyword = name().toLowerCase(Locale.ROOT);
    }

    /// How its bits are read.
    public Kind kind() {
        return kind;
    }

    /// The bits one value takes in a register.
    public int bits() {
        return bits;
    }

    /// The bytes one value takes in memory.
    public int bytes() {
        return (bits + 7) / 8;
    }

    /// The qualifier without its dot: `f32`.
    public String keyword() {
        return keyword;
    }

    /// Whether it is a signed or unsigned integer.
    public boolean isInteger() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    /// Whether a variable may be declared with it: a fundamental type (PTX ISA 5.2.1), a packed
    /// half, or an opaque reference.
    public boolean isDeclarable() {
        return switch (kind) {
            case BITS, PREDICATE, OPAQUE -> true;
            case SIGNED, UNSIGNED -> this != U16X2 && this != S16X2;
            case FLOAT -> this != F32X2;
            case ALTERNATE -> false;
        };
    }

    /// The type with this keyword, or null.
    public static @Nullable ScalarType of(String keyword) {
        return BY_KEYWORD.get(keyword);
    }
}
