package dev.heddle.layout;

import java.util.List;

/// A layout in memory: each coordinate is split into digits, low to high, and each digit has a
/// stride.
///
/// CuTe writes the same thing as `((8,m),(T,2k)):((1T,SBO),(1,LBO))`: the row's low digit runs over
/// 8 values with stride `T`, its high digit with stride `SBO`.
///
/// @param digits the digits of all axes; those of one axis from low to high, the last of an axis
/// unbounded (extent 0)
public record StridedLayout(List<Digit> digits) {
    /// One digit of a coordinate.
    ///
    /// @param axis   the coordinate it belongs to
    /// @param extent how many values it takes; 0 for all that is left
    /// @param stride how far one step of it goes, in the unit of the layout
    public record Digit(Axis axis, int extent, int stride) {}

    public StridedLayout {
        digits = List.copyOf(digits);
    }

    /// The offset of the element at `point`, in the unit of the strides.
    public int offset(Point point) {
        Point rest = point;
        int offset = 0;
        for (Digit digit : digits) {
            int value = rest.get(digit.axis);
            int taken = digit.extent == 0 ? value : value % digit.extent;
            offset += taken * digit.stride;
            rest = rest.with(digit.axis, digit.extent == 0 ? 0 : value / digit.extent);
        }
        return offset;
    }

    /// CuTe-like text: `row (8:16, *:128), column (16:1, *:128)`, extent:stride from low to high.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        Axis last = null;
        for (Digit digit : digits) {
            text.append(digit.axis == last ? ", " : last == null ? "" : "), ");
            text.append(digit.axis == last ? "" : digit.axis.word() + " (");
            text.append(digit.extent == 0 ? "*" : String.valueOf(digit.extent))
                    .append(':')
                    .append(digit.stride);
            last = digit.axis;
        }
        return text.append(')').toString();
    }
}
