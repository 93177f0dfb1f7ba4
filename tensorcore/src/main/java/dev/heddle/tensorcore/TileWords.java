package dev.heddle.tensorcore;

import dev.heddle.formats.Format;
import dev.heddle.formats.Matrix;
import dev.heddle.isa.CompressedTile;
import dev.heddle.isa.Form;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.isa.SparseTile;
import dev.heddle.tensorcore.kernel.Inputs;
import dev.heddle.tensorcore.kernel.Placement;
import dev.heddle.tensorcore.kernel.Places;
import java.util.Optional;

/// Matrices as words in memory, and back.
final class TileWords {
    private final Form form;
    private final Places places;
    private final Optional<Metadata> metadata;

    TileWords(Form form, Places places) {
        this.form = form;
        this.places = places;
        this.metadata = form.metadata();
    }

    /// A tile whose A is stored, if the form is sparse; all matrices have the shapes and formats
    /// that the form asks for.
    Tile checked(Tile tile) {
        int m = form.shape().m();
        int n = form.shape().n();
        int k = form.shape().k();
        check("B", tile.b(), k, n, form.type(Role.B));
        check("C", tile.c(), m, n, form.type(Role.C));
        if (form.blockScaled() != (tile.scaleA().isPresent() && tile.scaleB().isPresent())) {
            throw new IllegalArgumentException(
                    form.blockScaled()
                            ? "%s needs scale factors of A and of B".formatted(form)
                            : "%s takes no scale factors".formatted(form));
        }
        form.scaleFactors(Role.A)
                .ifPresent(
                        factors ->
                                check(
                                        "the scale factors of A",
                                        tile.scaleA().orElseThrow(),
                                        m,
                                        factors.vectors(),
                                        factors.format()));
        form.scaleFactors(Role.B)
                .ifPresent(
                        factors ->
                                check(
                                        "the scale factors of B",
                                        tile.scaleB().orElseThrow(),
                                        factors.vectors(),
                                        n,
                                        factors.format()));
        if (metadata.isEmpty()) {
            check("A", tile.a(), m, k, form.type(Role.A));
            return tile;
        }
        if (tile.metadata().isPresent()) {
            check("the stored half of A", tile.a(), m, k / 2, form.type(Role.A));
            return tile;
        }
        check("A", tile.a(), m, k, form.type(Role.A));
        CompressedTile compressed = SparseTile.of(form).compress(tile.a());
        return tile.withStored(compressed.stored(), compressed.indices());
    }

    private static void check(String what, Matrix matrix, int rows, int columns, Format format) {
        if (matrix.rows() != rows || matrix.columns() != columns || matrix.format() != format) {
            throw new IllegalArgumentException(
                    "%s is %s: expected %d x %d %s".formatted(what, matrix, rows, columns, format));
        }
    }

    Inputs inputs(Tile tile) {
        return new Inputs(
                words(places.a(), tile.a()),
                words(places.b(), tile.b().transposed()),
                words(places.c(), tile.c()),
                tile.accumulate(),
                tile.negateA() != tile.negateB(),
                tile.scaleA()
                        .map(scale -> words(places.scaleA().orElseThrow(), scale))
                        .orElse(new int[0]),
                tile.scaleB()
                        .map(scale -> words(places.scaleB().orElseThrow(), scale.transposed()))
                        .orElse(new int[0]));
    }

    int[] metadata(Tile tile) {
        return tile.metadata()
                .map(nibbles -> words(places.metadata().getFirst(), nibbles))
                .orElse(new int[0]);
    }

    int[] newD() {
        return new int[places.d().words(form.type(Role.D).bits())];
    }

    Matrix matrix(int[] d) {
        Format format = form.type(Role.D);
        return Matrix.of(
                format,
                form.shape().m(),
                form.shape().n(),
                (row, column) -> places.d().code(d, row, column, format.bits()));
    }

    private static int[] words(Placement placement, Matrix matrix) {
        int bits = matrix.format().bits();
        int[] words = new int[placement.words(bits)];
        for (int row = 0; row < matrix.rows(); row++) {
            for (int column = 0; column < matrix.columns(); column++) {
                placement.store(words, row, column, bits, matrix.bits(row, column));
            }
        }
        return words;
    }
}
