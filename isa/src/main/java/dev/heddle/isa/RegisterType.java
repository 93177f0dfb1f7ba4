package dev.heddle.isa;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The declared type of a PTX register.
public enum RegisterType {
    PRED(1),
    B8(8),
    U8(8),
    S8(8),
    B16(16),
    U16(16),
    S16(16),
    F16(16),
    B32(32),
    U32(32),
    S32(32),
    F32(32),
    F16X2(32),
    B64(64),
    U64(64),
    S64(64),
    F64(64),
    B128(128);

    /// The register types that an operand takes.
    ///
    /// The manual gives one type for each operand; which others pass is the assembler's word
    /// (ptxas 13.0), and differs between operands.
    public enum Accepts {
        /// `.b32` alone: dense bf16 and tf32 multiplicands, and those of block-scaled forms.
        B32_ONLY(B32, EnumSet.of(B32)),
        /// `.f16x2` or `.b32`.
        PACKED_F16(F16X2, EnumSet.of(F16X2, B32)),
        /// Like [#PACKED_F16], declared as `.b32` by the manual.
        PACKED_B32(B32, EnumSet.of(F16X2, B32)),
        /// Any register of 32 bits.
        ANY_32(B32, EnumSet.of(B32, U32, S32, F32, F16X2)),
        /// Like [#ANY_32], declared as `.f32` by the manual.
        ANY_32_FLOAT(F32, ANY_32.accepted),
        /// `.f32` or `.b32`.
        FLOAT_32(F32, EnumSet.of(F32, B32)),
        /// `.s32`, `.u32` or `.b32`.
        INTEGER_32(S32, EnumSet.of(S32, U32, B32)),
        /// Any register of 64 bits.
        ANY_64(F64, EnumSet.of(F64, B64, U64, S64)),
        /// `.b64`, `.u64` or `.s64`.
        INTEGER_64(B64, EnumSet.of(B64, U64, S64)),
        /// An integer register of 16 bits.
        INTEGER_16(U16, EnumSet.of(U16, S16, B16)),
        /// A predicate.
        PREDICATE(PRED, EnumSet.of(PRED));

        private final RegisterType declared;
        private final Set<RegisterType> accepted;

        Accepts(RegisterType declared, Set<RegisterType> accepted) {
            this.declared = declared;
            this.accepted = accepted;
        }

        /// The type that the manual gives.
        public RegisterType declared() {
            return declared;
        }

        /// Whether a register of that type may appear there.
        public boolean accepts(RegisterType type) {
            return accepted.contains(type);
        }

        /// The accepted types, the manual's own first.
        public List<RegisterType> all() {
            return accepted.stream()
                    .sorted((x, y) -> Boolean.compare(y == declared, x == declared))
                    .toList();
        }
    }

    private final int bits;

    RegisterType(int bits) {
        this.bits = bits;
    }

    /// The type of a vector that holds registers of this type and of `other`: the same, or the
    /// untyped one of their width if they agree; empty if they do not.
    ///
    /// Types of one width agree if one of them is untyped, or both are integers (PTX ISA 9.4).
    public Optional<RegisterType> joined(RegisterType other) {
        if (this == other) {
            return Optional.of(this);
        }
        boolean agree = isUntyped() || other.isUntyped() || (isInteger() && other.isInteger());
        return bits == other.bits && agree ? named(".b" + bits) : Optional.empty();
    }

    /// The type of a vector of such registers with an integer constant among them (ptxas 13.0).
    public Optional<RegisterType> withInteger() {
        return isUntyped() || isInteger() ? named(".b" + bits) : Optional.empty();
    }

    /// The type of a vector of such registers with a floating-point constant among them (ptxas
    /// 13.0), of which it takes the low bits: `1.5`, a double, is 0 in a vector of `.f32`
    /// registers.
    ///
    /// @param constant `.f32` or `.f64`
    public Optional<RegisterType> withFloat(RegisterType constant) {
        if (this == F32 || this == F64) {
            return this == constant ? Optional.of(this) : named(".b" + bits);
        }
        return isUntyped() ? Optional.of(this) : Optional.empty();
    }

    private boolean isUntyped() {
        return name().startsWith("B");
    }

    private boolean isInteger() {
        return name().startsWith("U") || name().startsWith("S");
    }

    /// The type written `.f16x2`.
    public static Optional<RegisterType> named(String ptx) {
        for (RegisterType type : values()) {
            if (type.toString().equals(ptx)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "." + name().toLowerCase(java.util.Locale.ROOT);
    }
}
