package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A declared variable: a register or a range of them, memory in some space, or a parameter (PTX
/// ISA 5.4).
///
/// @param linkage who may see it
/// @param space where it lives
/// @param alignment bytes, or 0 where the declaration gives none
/// @param vector 1, 2, 4 or 8: how many values one element holds
/// @param type of one value
/// @param name as declared; for a range, the common prefix
/// @param range how many registers `name<range>` declares, or [#NO_RANGE]
/// @param dimensions of an array, outermost first; [#UNSIZED] where the brackets are empty; empty
/// for a scalar
/// @param initializer its initial value, or null
/// @param pointer what a kernel parameter points to (`.ptr`, 5.1.6.3), or null
/// @param attributes `.attribute(...)` as written, one text each
/// @param position where its name is
public record Variable(
        Linkage linkage,
        StateSpace space,
        int alignment,
        int vector,
        ScalarType type,
        String name,
        int range,
        List<Long> dimensions,
        @Nullable Initializer initializer,
        @Nullable Pointer pointer,
        List<String> attributes,
        SourcePosition position)
        implements Statement, ModuleItem {

    /// The dimension of an array declared with empty brackets.
    public static final long UNSIZED = -1;

    /// The range of a variable that declares one name.
    public static final int NO_RANGE = -1;

    public Variable {
        dimensions = List.copyOf(dimensions);
        attributes = List.copyOf(attributes);
    }

    /// What a pointer parameter points to.
    ///
    /// @param space the space, or null for a generic address
    /// @param alignment bytes, or 0 where none is given
    public record Pointer(@Nullable StateSpace space, int alignment) {}

    /// Whether it declares `name0` to `name(range-1)` rather than one variable.
    public boolean isRange() {
        return range != NO_RANGE;
    }

    /// Whether host and device share it (PTX ISA 5.4.8).
    public boolean isManaged() {
        return attributes.contains(".managed");
    }

    /// Whether it is an array.
    public boolean isArray() {
        return !dimensions.isEmpty();
    }

    /// The bytes one element takes.
    public int elementBytes() {
        return type.bytes() * vector;
    }

    /// The bytes it takes, its unsized first dimension counted from the initialiser; 0 for an array
    /// of unknown size.
    public long sizeInBytes() {
        long elements = 1;
        for (int i = 0; i < dimensions.size(); i++) {
            long extent = dimensions.get(i);
            if (extent == UNSIZED) {
                extent =
                        i == 0 && initializer instanceof Initializer.Aggregate list
                                ? list.elements().size()
                                : 0;
            }
            elements = Math.multiplyExact(elements, extent);
        }
        return Math.multiplyExact(elements, elementBytes());
    }

    /// The alignment in force: the declared one, else the size of one element (5.4.5).
    public int effectiveAlignment() {
        return alignment != 0 ? alignment : elementBytes();
    }

    @Override
    public String toString() {
        return "."
                + space.keyword()
                + " ."
                + type.keyword()
                + " "
                + name
                + (isRange() ? "<" + range + ">" : "");
    }
}
