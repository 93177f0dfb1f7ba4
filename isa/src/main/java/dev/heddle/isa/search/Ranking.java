package dev.heddle.isa.search;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.Role;

import java.util.List;
import java.util.Set;

/// How plain a form is, apart from what was asked: of several that have it, the plainest is meant.
///
/// @param words the words asked for
/// @param types the types asked for, in order
record Ranking(Set<String> words, List<String> types) {
    /// Bits of a row of A in the registers of a warp, where the shape uses them up.
    private static final int FULL_ROW = 256;

    /// A width of `wgmma` that kernels often use.
    private static final int USUAL_WIDTH = 128;

    Ranking {
        words = Set.copyOf(words);
        types = List.copyOf(types);
    }

    /// The surprise in a form: 0 for the plainest.
    int surprise(Form form) {
        return family(form) + typeOrder(form) + plainness(form);
    }

    /// The part of it that does not depend on what was asked for.
    static int plainness(Form form) {
        return result(form) + modifiers(form) + shape(form);
    }

    private int family(Form form) {
        boolean plain = words.contains("sp");
        return switch (form.family()) {
            case MMA -> 0;
            case MMA_SP_ORDERED -> plain ? 301 : 300;
            case MMA_SP -> plain ? 300 : 301;
            case WGMMA -> 200;
            case WGMMA_SP -> 400;
        };
    }

    /// Types are meant in the order of the opcode, or A's and B's first.
    private int typeOrder(Form form) {
        String a = form.word(Qualifier.ATYPE);
        String b = form.word(Qualifier.BTYPE);
        int unsigned = (a.startsWith("u") ? 1 : 0) + (b.startsWith("u") ? 1 : 0);
        if (types.isEmpty()) {
            return unsigned + (a.equals("f16") ? 0 : 3) + (a.equals(b) ? 0 : 6);
        }
        List<String> all = Vocabulary.types(form);
        if (types.size() >= 3) {
            return all.subList(0, Math.min(types.size(), all.size())).equals(types) ? 0 : 50;
        }
        if (!types.contains(a) && !types.contains(b)) {
            return 500;
        }
        boolean both = types.contains(b) && types.contains(a);
        boolean first = a.equals(types.getFirst()) || both && types.size() == 1;
        return (first ? 0 : 20) + unsigned + (a.equals(b) ? 0 : both ? 2 : 30);
    }

    private static int result(Form form) {
        String d = form.word(Qualifier.DTYPE);
        String c = form.word(Qualifier.CTYPE);
        return (d.equals("f16") ? 8 : 0) + (c.isEmpty() || c.equals(d) ? 0 : 12);
    }

    private static int modifiers(Form form) {
        int surprise = form.satfinite() ? 40 : 0;
        surprise += form.word(Qualifier.ROUNDING).isEmpty() ? 0 : 40;
        surprise += form.kind().isPresent() ? 14 : 0;
        surprise += form.blockScaled() ? 20 : 0;
        surprise += form.word(Qualifier.SCALE_VECTOR).isEmpty() && form.blockScaled() ? 1 : 0;
        surprise += form.word(Qualifier.BIT_OPERATION).equals("xor") ? 1 : 0;
        boolean usual =
                !form.words().containsKey(Qualifier.ALAYOUT)
                        || form.word(Qualifier.ALAYOUT).equals("row")
                                && form.word(Qualifier.BLAYOUT).equals("col");
        return surprise + (usual ? 0 : 60) + (form.aSource() == ASource.SHARED_MEMORY ? 1 : 0);
    }

    private static int shape(Form form) {
        int n = form.shape().n();
        if (form.family().warpgroup()) {
            return n == USUAL_WIDTH ? 0 : 2 + Math.abs(n - USUAL_WIDTH) / 8;
        }
        int bits = form.padded() ? Byte.SIZE : form.type(Role.A).bits();
        boolean full = form.storedColumns() * bits == FULL_ROW;
        return (full ? 0 : 9) + (form.shape().m() == 16 ? 0 : 15) + (form.quadPairs() ? 30 : 0);
    }
}
