package dev.heddle.vm.sanitizer;

import dev.heddle.isa.Form;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.shadow.ByteRanges;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// What is undefined of A and B of a product of `wgmma`: an element of A makes its row of D
/// undefined, one of B its column, but for zeros that they are multiplied by. Rows that nobody
/// stored are multiplied, and nobody stores what comes of them.
public final class WarpgroupOperands {
    private final SharedShadow shadow;
    private final AsyncFaults faults;
    private final Sanitizer sanitizer;

    // By row of A, and column of B: where an undefined element comes from, of the product.
    private UndefinedBits.@Nullable Origin[] rows = {};
    private UndefinedBits.@Nullable Origin[] columns = {};
    private final List<Look> looks = new ArrayList<>();
    private boolean isAny;

    private WarpgroupOperands(Cta cta, SharedShadow shadow, Sanitizer sanitizer) {
        this.shadow = shadow;
        this.sanitizer = sanitizer;
        faults = new AsyncFaults(cta);
    }

    /// Those of a warpgroup, or null where undefined values are not followed.
    public static @Nullable WarpgroupOperands of(Cta cta, Sanitizer sanitizer) {
        SharedShadow shadow = cta.shadow();
        return shadow == null || sanitizer.warp(0).definedness() == null
                ? null
                : new WarpgroupOperands(cta, shadow, sanitizer);
    }

    /// A product begins.
    public void begin(Form form) {
        rows = new UndefinedBits.Origin[form.shape().m()];
        columns = new UndefinedBits.Origin[form.shape().n()];
        looks.clear();
        isAny = false;
    }

    /// A matrix in shared memory: where it stands, and how.
    ///
    /// @param bytes all of it
    /// @param words as they are multiplied
    /// @param first the first warp of the warpgroup
    @SuppressWarnings("ArrayRecordComponent") // a view of an array, never compared
    public record Matrix(
            Role role,
            MatrixDescriptor descriptor,
            Major major,
            ByteRanges bytes,
            int[] words,
            int first) {}

    /// What was found of a matrix.
    ///
    /// @param undefined bits of its words, or none where all are defined
    @SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
    private record Look(Form form, Matrix matrix, int[] undefined) {
        private interface Elements {
            /// @param word that it is in
            /// @param line its row of A, or column of B
            /// @param at its place in there
            void element(int word, long bits, int line, int at);
        }

        void forEach(Elements elements) {
            boolean isA = matrix.role == Role.A;
            boolean isLineByLine = matrix.major == Major.K;
            int across = isA ? form.shape().m() : form.shape().n();
            int along = isA ? form.storedColumns() : form.shape().k();
            int run = isLineByLine ? along : across;
            int bits = form.type(matrix.role).bits();
            for (int i = 0; i < across * along; i++) {
                int outer = i / run;
                int inner = i % run;
                elements.element(
                        bits * i / Integer.SIZE,
                        (1L << bits) - 1 << bits * i % Integer.SIZE,
                        isLineByLine ? outer : inner,
                        isLineByLine ? inner : outer);
            }
        }

        /// Tells of each element what it is multiplied as.
        void addTo(Factors factors) {
            forEach(
                    (word, bits, line, at) ->
                            factors.add(
                                    matrix.role,
                                    line,
                                    at,
                                    matrix.words[word] & bits,
                                    undefined.length == 0 ? 0 : undefined[word] & bits));
        }
    }

    /// A matrix of the product.
    public void look(TensorCore core, Site site, Matrix matrix) {
        boolean areDefined = areDefined(matrix.bytes);
        int[] undefined = new int[areDefined ? 0 : core.sharedWords(matrix.role)];
        Look look = new Look(core.form(), matrix, undefined);
        looks.add(look);
        if (areDefined) {
            return;
        }
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
        UndefinedBits.@Nullable Origin[] lines = matrix.role == Role.A ? rows : columns;
        look.forEach(
                (word, bits, line, at) -> {
                    if ((undefined[word] & bits) != 0) {
                        note(lines, line, site, matrix.first, places[word]);
                    }
                });
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
    public void spoil(Frame[] frames, Site site, Collective.MultiplyAsync product) {
        List<Source> a =
                product.a() instanceof Collective.Multiplicand.InRegisters in
                        ? in.registers()
                        : List.of();
        for (int warp = 0; warp < frames.length; warp++) {
            note(frames[warp], site, product.form(), warp, a);
        }
        if (!isAny) {
            return;
        }
        Factors factors = new Factors(product.form());
        looks.forEach(look -> look.addTo(factors));
        for (int warp = 0; warp < frames.length && !a.isEmpty(); warp++) {
            ProductPropagation.look(factors, product.form(), frames[warp], warp, a);
        }
        for (int warp = 0; warp < frames.length; warp++) {
            UndefinedBits bits = frames[warp].undefinedBits();
            ProductPropagation.spoil(
                    bits, product.form(), warp, rows, columns, factors, product.d());
        }
    }

    /// @param a registers of a warp that have rows of A
    private void note(Frame frame, Site site, Form form, int warp, List<Source> a) {
        Definedness definedness = sanitizer.warp(frame.warp.index()).definedness();
        @Nullable Register[] causes =
                ProductPropagation.undefinedRows(frame.undefinedBits(), form, a);
        for (int row = 0; row < causes.length; row++) {
            Register cause = causes[row];
            if (cause != null && definedness != null) {
                rows[causes.length * warp + row] = definedness.multiplied(frame, site, cause);
                isAny = true;
            }
        }
    }
}
