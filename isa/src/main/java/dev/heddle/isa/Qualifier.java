package dev.heddle.isa;

import java.util.List;

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

    /// The places of types, in the order in which opcodes name them: D, A, B, C, scale factors.
    public static final List<Qualifier> TYPE_PLACES = List.of(DTYPE, ATYPE, BTYPE, CTYPE, STYPE);

    /// What types look like, `#` a number.
    private static final List<String> TYPES =
            List.of("f#", "bf#", "tf#", "s#", "u#", "b#", "e#m#", "ue#m#", "f#x2", "bf#x2");

    private final String manualName;

    Qualifier(String manualName) {
        this.manualName = manualName;
    }

    /// What the manual's syntax calls it.
    public String manualName() {
        return manualName;
    }

    /// Whether a word is a shape such as `m16n8k16`.
    static boolean isShape(String word) {
        return like(word, "m#n#k#");
    }

    /// Whether a word is a type such as `f16`, `e4m3` or `f16x2`.
    static boolean isType(String word) {
        for (String type : TYPES) {
            if (like(word, type)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a word is the pattern with a number for each `#`. Regular expressions would take
    /// longer to compile than a whole look-up may last.
    private static boolean like(String word, String pattern) {
        int at = 0;
        for (int i = 0; i < pattern.length(); i++) {
            int start = at;
            if (pattern.charAt(i) == '#') {
                while (at < word.length() && word.charAt(at) >= '0' && word.charAt(at) <= '9') {
                    at++;
                }
            } else if (at < word.length() && word.charAt(at) == pattern.charAt(i)) {
                at++;
            }
            if (at == start) {
                return false;
            }
        }
        return at == word.length();
    }
}
