package dev.heddle.cli;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Packing;
import dev.heddle.formats.Rounding;
import dev.heddle.isa.CompressedTile;
import dev.heddle.isa.Form;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.SparseTile;
import dev.heddle.tensorcore.MatrixProduct;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// Random operands of a form as the generated kernel takes them, and the product that it must
/// store.
///
/// Matrices stand in memory as the kernel's heading says: A by rows, B by columns, C and D by rows,
/// but A and B of `mma.m8n8k4` as its `.row` and `.col` say.
final class GeneratedTile {
    private final Form form;
    private final SplittableRandom random;
    private final MatrixProduct.Inputs inputs;
    private final List<Argument> arguments = new ArrayList<>();

    GeneratedTile(Form form, long seed) {
        this.form = form;
        this.random = new SplittableRandom(seed);
        MatrixProduct product = MatrixProduct.of(TensorCore.of(form, generation()));
        Matrix a = random(product, Role.A);
        Matrix b = random(product, Role.B);
        Matrix c = random(product, Role.C);
        Optional<CompressedTile> compressed = Optional.empty();
        if (form.sparse()) {
            SparseTile tile = SparseTile.of(form);
            a = tile.prune(a);
            compressed = Optional.of(tile.compress(a));
        }
        MatrixProduct.Inputs all = new MatrixProduct.Inputs(a, b, c);
        arguments.add(Argument.poison("d", image(Role.D, c(c)).length));
        arguments.add(
                Argument.of("a", image(Role.A, compressed.map(CompressedTile::stored).orElse(a))));
        arguments.add(Argument.of("b", image(Role.B, b)));
        arguments.add(Argument.of("c", image(Role.C, c)));
        compressed.ifPresent(each -> arguments.add(Argument.of("e", each.words(0))));
        if (form.blockScaled()) {
            Matrix ofA = scales(Role.A);
            Matrix ofB = scales(Role.B);
            all = all.withScales(ofA, ofB);
            arguments.add(Argument.of("sfa", lines(ofA, Packing.dense(ofA.format()), true)));
            arguments.add(Argument.of("sfb", lines(ofB, Packing.dense(ofB.format()), false)));
        }
        this.inputs = all;
    }

    /// Where it is computed: the first generation of the table that has the form.
    private Generation generation() {
        return java.util.Arrays.stream(Generation.values())
                .filter(each -> each.has(form))
                .findFirst()
                .orElseThrow();
    }

    /// Elements of D that differ from the matrix product, or what the machine found.
    String differences(Kernel kernel) {
        Launch launch = Launch.grid(1).block(form.lanes()).withArguments(arguments);
        Outcome outcome = Machine.interpreter(generation()).run(kernel, launch);
        if (!outcome.isClean()) {
            return outcome.findings().getFirst().text(kernel.source()::line);
        }
        Matrix expected = MatrixProduct.of(TensorCore.of(form, generation())).execute(inputs);
        byte[] image = image(Role.D, expected);
        byte[] found = outcome.buffer("d");
        int differing = 0;
        for (int i = 0; i < image.length; i++) {
            differing += image[i] == found[i] ? 0 : 1;
        }
        return differing == 0 ? "" : "%d of %d bytes differ".formatted(differing, image.length);
    }

    private Matrix random(MatrixProduct product, Role role) {
        int[] extent = product.extent(role);
        return Matrix.of(
                form.type(role), extent[0], extent[1], (row, column) -> code(form.type(role)));
    }

    /// The extent of D is that of C.
    private Matrix c(Matrix c) {
        return Matrix.zeros(form.type(Role.D), c.rows(), c.columns());
    }

    private long code(Format format) {
        return switch (format) {
            case FloatFormat f ->
                    f.encode(random.nextDouble(-1, 1), Rounding.NEAREST_EVEN, Overflow.SATFINITE);
            case IntegerFormat i -> random.nextLong() & i.mask();
        };
    }

    private Matrix scales(Role role) {
        ScaleFactors factors = form.scaleFactors(role).orElseThrow();
        boolean ofA = role == Role.A;
        return Matrix.of(
                factors.format(),
                ofA ? factors.lines() : factors.vectors(),
                ofA ? factors.vectors() : factors.lines(),
                (row, column) ->
                        factors.format() == FloatFormat.UE8M0
                                ? 127 + random.nextInt(-3, 4)
                                : 0x30 + random.nextInt(16));
    }

    private byte[] image(Role role, Matrix matrix) {
        boolean byRows =
                switch (role) {
                    case A -> !form.word(Qualifier.ALAYOUT).equals("col");
                    case B -> form.word(Qualifier.BLAYOUT).equals("row");
                    case C, D -> true;
                };
        Packing packing =
                form.padded() && (role == Role.A || role == Role.B)
                        ? Packing.padded(matrix.format())
                        : Packing.dense(matrix.format());
        return products(role, matrix).isEmpty()
                ? lines(matrix, packing, byRows)
                : joined(products(role, matrix), packing, byRows);
    }

    /// The four tiles of `mma.m8n8k4`: of B side by side, else below each other.
    private List<Matrix> products(Role role, Matrix matrix) {
        List<Matrix> tiles = new ArrayList<>();
        for (int tile = 0; form.quadPairs() && tile < 4; tile++) {
            int rows = role == Role.B ? matrix.rows() : matrix.rows() / 4;
            int columns = role == Role.B ? matrix.columns() / 4 : matrix.columns();
            int down = role == Role.B ? 0 : tile * rows;
            int right = role == Role.B ? tile * columns : 0;
            tiles.add(
                    Matrix.of(
                            matrix.format(),
                            rows,
                            columns,
                            (row, column) -> matrix.bits(row + down, column + right)));
        }
        return tiles;
    }

    private static byte[] joined(List<Matrix> tiles, Packing packing, boolean byRows) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        tiles.forEach(tile -> all.writeBytes(lines(tile, packing, byRows)));
        return all.toByteArray();
    }

    private static byte[] lines(Matrix matrix, Packing packing, boolean byRows) {
        int width = packing.containerBits();
        byte[] bytes = new byte[(int) ((long) matrix.rows() * matrix.columns() * width / 8)];
        Matrix along = byRows ? matrix : matrix.transposed();
        for (int row = 0; row < along.rows(); row++) {
            for (int column = 0; column < along.columns(); column++) {
                long first = ((long) row * along.columns() + column) * width + packing.offset();
                for (int bit = 0; bit < packing.elementBits(); bit++) {
                    long at = first + bit;
                    bytes[(int) (at / 8)] |=
                            (byte) ((along.bits(row, column) >> bit & 1) << at % 8);
                }
            }
        }
        return bytes;
    }
}
