package dev.heddle.vm.ir;

import dev.heddle.ptx.ScalarType;

/// The JVM type by which an operation reads or gives a value.
public enum Carrier {
    BOOLEAN(boolean.class, Width.PREDICATE),
    INT(int.class, Width.WORD),
    LONG(long.class, Width.LONG),
    FLOAT(float.class, Width.WORD),
    DOUBLE(double.class, Width.LONG);

    private final Class<?> type;
    private final Width width;

    Carrier(Class<?> type, Width width) {
        this.type = type;
        this.width = width;
    }

    /// The primitive type.
    public Class<?> type() {
        return type;
    }

    /// The register file it is read from.
    public Width width() {
        return width;
    }

    /// How values of a type are carried.
    static Carrier of(ScalarType type) {
        return switch (type) {
            case PRED -> BOOLEAN;
            case F32 -> FLOAT;
            case F64 -> DOUBLE;
            default -> type.bits() > 32 ? LONG : INT;
        };
    }
}
