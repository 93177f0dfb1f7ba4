package dev.heddle.vm.ir;

/// The shapes of `tex` and `suld` (PTX ISA 9.7.10.3).
public enum Geometry {
    D1("1d", 1, false),
    D2("2d", 2, false),
    D3("3d", 3, false),
    A1D("a1d", 1, true),
    A2D("a2d", 2, true),
    CUBE("cube", 3, false),
    ACUBE("acube", 3, true);

    private final String word;
    private final int axes;
    private final boolean layered;

    Geometry(String word, int axes, boolean layered) {
        this.word = word;
        this.axes = axes;
        this.layered = layered;
    }

    /// As the manual writes it: `a2d`.
    public String word() {
        return word;
    }

    /// Coordinates besides the layer.
    public int axes() {
        return axes;
    }

    /// Whether the first coordinate is a layer.
    public boolean layered() {
        return layered;
    }

    /// Whether it is a cube.
    public boolean isCube() {
        return this == CUBE || this == ACUBE;
    }

    /// The geometry of this word.
    public static Geometry of(String word) {
        for (Geometry geometry : values()) {
            if (geometry.word.equals(word)) {
                return geometry;
            }
        }
        throw new IllegalArgumentException("no texture geometry " + word);
    }
}
