package dev.heddle.isa;

import java.util.regex.Pattern;

/// The places of an opcode that a qualifier can fill, in the manual's order.
public enum Qualifier {
    /// `.m16n8k16`
    SHAPE("shape"),
    /// `.row` or `.col` of A
    ALAYOUT(".alayout"),
    /// `.row` or `.col` of B
    BLAYOUT(".blayout"),
    /// `.kind::mxf4`
    KIND(".kind"),
    /// `.block_scale`
    BLOCK_SCALE(".block_scale"),
    /// `.scale_vec::2X`
    SCALE_VECTOR(".scale_vec_size"),
    /// `.satfinite`
    SATFINITE(".satfinite"),
    /// type of D
    DTYPE(".dtype"),
    /// type of A
    ATYPE(".atype"),
    /// type of B
    BTYPE(".btype"),
    /// type of C
    CTYPE(".ctype"),
    /// type of the scale factors
    STYPE(".stype"),
    /// `.xor` or `.and`
    BIT_OPERATION(".bitOp"),
    /// `.rn`, `.rz`, `.rm`, `.rp`
    ROUNDING("rounding");

    static final Pattern SHAPES = Pattern.compile("m\\d+n\\d+k\\d+");

    /// Words that stand in an opcode without choosing anything.
    static final java.util.Set<String> FIXED = java.util.Set.of("sync", "aligned", "popc");

    private static final Pattern TYPES =
            Pattern.compile("(?:b|s|u|f|bf|tf)\\d+(?:x2)?|ue?\\d+m\\d+|ue8m0|ue4m3|e\\d+m\\d+");

    private final String manualName;

    Qualifier(String manualName) {
        this.manualName = manualName;
    }

    /// What the manual's syntax calls it.
    public String manualName() {
        return manualName;
    }

    static boolean isType(String word) {
        return TYPES.matcher(word).matches();
    }
}
