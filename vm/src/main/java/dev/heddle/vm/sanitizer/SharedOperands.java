package dev.heddle.vm.sanitizer;

import dev.heddle.isa.Form;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.ByteRanges;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What is undefined of A and B of a product of `wgmma` where they stand in shared memory: an
/// element of A makes its row of D undefined, one of B its column. Rows that nobody stored are
/// multiplied, and nobody stores what comes of them.
public final class SharedOperands {
    private final SharedShadow shadow;
    private final AsyncFaults faults;

    // By row of A, and column of B: where an undefined element comes from, of the product.
    private UndefinedBits.@Nullable Origin[] rows = {};
    private UndefinedBits.@Nullable Origin[] columns = {};
    private boolean isAny;

    private SharedOperands(Cta cta, SharedShadow shadow) {
        this.shadow = shadow;
        faults = new AsyncFaults(cta);
    }

    /// Those of a warpgroup, or null where undefined values are not followed.
    public static @Nullable SharedOperands of(Cta cta, Sanitizer sanitizer) {
        SharedShadow shadow = cta.shadow();
        return shadow == null || sanitizer.warp(0).definedness() == null
                ? null
                : new SharedOperands(cta, shadow);
    }

    /// A product begins.
    public void begin(Form form) {
        rows = new UndefinedBits.Origin[form.shape().m()];
        columns = new UndefinedBits.Origin[form.shape().n()];
        isAny = false;
    }

    /// Where a matrix stands, and how.
    ///
    /// @param bytes all of it
    /// @param first the first warp of the warpgroup
    public record Matrix(
            Role role, MatrixDescriptor descriptor, Major major, ByteRanges bytes, int first) {}

    /// A matrix of the product.
    public void look(TensorCore core, Site site, Matrix matrix) {
        if (areDefined(matrix.bytes)) {
            return;
        }
        int[] undefined = new int[core.sharedWords(matrix.role)];
        int[] places = new int[undefined.length];
        core.load(
                matrix.role,
                matrix.descriptor,
                matrix.major,
                (address, words, from, count) -> {
                    for (int i = 0; i < count; i++) {
                        places[from + i] = address + Integer.BYTES * i;
                        words[from + i] = undefinedIn(places[from + i]);
                    }
                },
                undefined);
        Form form = core.form();
        boolean isA = matrix.role == Role.A;
        int across = isA ? form.shape().m() : form.shape().n();
        int along = isA ? form.storedColumns() : form.shape().k();
        int line = matrix.major == Major.K ? along : across;
        int bits = form.type(matrix.role).bits();
        for (int word = 0; word < undefined.length; word++) {
            for (int at = 0; undefined[word] != 0 && at < Integer.SIZE; at += bits) {
                if ((undefined[word] >>> at & -1 >>> Integer.SIZE - bits) != 0) {
                    int element = (Integer.SIZE * word + at) / bits;
                    int place = matrix.major == Major.K ? element / line : element % line;
                    note(isA ? rows : columns, place, site, matrix.first, places[word]);
                }
            }
        }
    }

    private boolean areDefined(ByteRanges bytes) {
        for (int i = 0; i < bytes.count(); i++) {
            if (shadow.firstUnwritten(bytes.from(i), bytes.to(i)) >= 0
                    || shadow.undefined().first(bytes.from(i), bytes.to(i)) != null) {
                return false;
            }
        }
        return true;
    }

    /// The undefined bits of a word of shared memory.
    private int undefinedIn(int at) {
        int all = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            all |= CopiedValues.undefined(shadow, at + i) << Byte.SIZE * i;
        }
        return all;
    }

    /// @param at a word of which some bits are undefined
    private void note(
            UndefinedBits.@Nullable Origin[] into, int place, Site site, int first, int at) {
        if (into[place] == null) {
            int missing = shadow.firstUnwritten(at, at + Integer.BYTES);
            UndefinedBits.Origin origin = shadow.undefined().first(at, at + Integer.BYTES);
            into[place] =
                    missing >= 0 || origin == null
                            ? new UndefinedBits.Origin(
                                    faults.unwritten(site, 32 * first, missing).finding(), false)
                            : origin.computed();
            isAny = true;
        }
    }

    /// The product is computed: its results are undefined where what they come from is.
    ///
    /// @param frames of the four warps
    /// @param d which registers have the results
    public void spoil(Form form, Frame[] frames, List<Register> d) {
        for (int warp = 0; isAny && warp < frames.length; warp++) {
            UndefinedBits bits = frames[warp].undefinedBits();
            ProductPropagation.spoil(bits, form, warp, rows, columns, d);
        }
    }
}
