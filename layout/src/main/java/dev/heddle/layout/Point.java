package dev.heddle.layout;

import java.util.Arrays;

/// A coordinate on each of some axes: `lane 5, element 3` or `row 1, column 11`. An axis that was
/// not set reads as 0.
public final class Point {
    private static final int AXES = Axis.values().length;

    /// The origin: 0 on every axis.
    public static final Point ORIGIN = new Point(new int[AXES]);

    private final int[] coordinates;

    private Point(int[] coordinates) {
        this.coordinates = coordinates;
    }

    /// The point with one coordinate set.
    public static Point of(Axis axis, int value) {
        return ORIGIN.with(axis, value);
    }

    /// The point with two coordinates set.
    public static Point of(Axis first, int firstValue, Axis second, int secondValue) {
        return ORIGIN.with(first, firstValue).with(second, secondValue);
    }

    /// The point with these coordinates, in the order of [Axis]; the array is not copied.
    static Point of(int[] coordinates) {
        return new Point(coordinates);
    }

    /// This point moved to `value` on `axis`.
    public Point with(Axis axis, int value) {
        int[] copy = coordinates.clone();
        copy[axis.ordinal()] = value;
        return new Point(copy);
    }

    /// The coordinate on `axis`.
    public int get(Axis axis) {
        return coordinates[axis.ordinal()];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Point point && Arrays.equals(coordinates, point.coordinates);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(coordinates);
    }

    /// The coordinates that are not 0, as `lane 5, element 3`.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Axis axis : Axis.values()) {
            if (get(axis) != 0) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(axis.word())
                        .append(' ')
                        .append(get(axis));
            }
        }
        return text.isEmpty() ? "origin" : text.toString();
    }
}
