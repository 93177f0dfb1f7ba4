package dev.heddle.cli;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Tensor;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.MetadataFault;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.SparseTile;
import dev.heddle.sparse.MatrixSource;
import dev.heddle.sparse.NamedMatrix;
import dev.heddle.sparse.SparsityException;
import dev.heddle.tensorcore.FragmentWords;
import dev.heddle.tensorcore.MatrixProduct;
import dev.heddle.tensorcore.Operands;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// Gathers the inputs of `heddle exec` from files and seeds.
final class InputReader {
    private static final long DEFAULT_SEED = 1;

    private final Form form;
    private final ParseResult given;
    private final MatrixProduct product;
    private final SplittableRandom random;
    private final boolean allRandom;

    InputReader(Form form, ParseResult given) {
        this.form = form;
        this.given = given;
        this.product = ExecCommand.Inputs.product(form);
        String seed = Command.value(given, "--random");
        this.random = new SplittableRandom(seed == null ? DEFAULT_SEED : seed(seed));
        this.allRandom = Command.value(given, "--a") == null && Command.value(given, "--b") == null;
        if (!allRandom
                && seed == null
                && (Command.value(given, "--a") == null || Command.value(given, "--b") == null)) {
            throw new UsageError(
                    "exec: give both --a and --b, or --random SEED for what is missing");
        }
    }

    private static long seed(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new UsageError("--random " + text + ": expected a whole number");
        }
    }

    ExecCommand.Inputs read() throws IOException {
        Matrix b = matrix("--b", Role.B);
        Matrix c =
                Command.value(given, "--c") == null && !allRandom
                        ? zeros(Role.C)
                        : matrix("--c", Role.C);
        Matrix scaleA = scale("--sfa", Role.A);
        Matrix scaleB = scale("--sfb", Role.B);
        if (Command.value(given, "--e") != null) {
            return stored(b, c);
        }
        Matrix a = matrix("--a", Role.A);
        boolean prune = Command.has(given, "--prune") || Command.value(given, "--a") == null;
        if (form.sparse() && prune) {
            a = SparseTile.of(form).prune(a);
        }
        MatrixProduct.Inputs inputs =
                new MatrixProduct.Inputs(
                        a,
                        b,
                        c,
                        Optional.ofNullable(scaleA),
                        Optional.ofNullable(scaleB),
                        Optional.empty());
        return new ExecCommand.Inputs(a, b, c, scaleA, scaleB, product.operands(inputs));
    }

    /// A given as its stored half, with metadata words.
    private ExecCommand.Inputs stored(Matrix b, Matrix c) throws IOException {
        if (!form.sparse() || form.aSource() != ASource.REGISTERS || form.blockScaled()) {
            throw new UsageError("--e: " + form + " takes no stored A with metadata words here");
        }
        SparseTile tile = SparseTile.of(form);
        Matrix stored = file("--a", form.type(Role.A), tile.rows(), tile.storedColumns());
        Matrix words = file("--e", IntegerFormat.U32, form.lanes(), 1);
        int[] metadata = new int[form.lanes()];
        for (int lane = 0; lane < metadata.length; lane++) {
            metadata[lane] = (int) words.bits(lane, 0);
        }
        String selector = Command.value(given, "--selector");
        int chosen = selector == null ? 0 : Numbers.parse("--selector", selector, 1, 1)[0];
        List<MetadataFault> faults = tile.faults(metadata, chosen);
        if (!faults.isEmpty() && Command.value(given, "--undefined") == null) {
            throw new UsageError(
                    "undefined behavior: "
                            + faults.getFirst()
                            + (faults.size() > 1 ? ", and " + (faults.size() - 1) + " more" : ""));
        }
        Matrix dense =
                faults.isEmpty()
                        ? tile.expand(stored, metadata, chosen)
                        : Matrix.zeros(form.type(Role.A), tile.rows(), tile.columns());
        Matrix any = Matrix.zeros(form.type(Role.A), tile.rows(), tile.columns());
        Operands operands =
                product.operands(new MatrixProduct.Inputs(any, b, c))
                        .withA(new FragmentWords(form.fragment(Role.A)).pack(stored))
                        .withMetadata(metadata, chosen);
        return new ExecCommand.Inputs(dense, b, c, null, null, operands);
    }

    private Matrix zeros(Role role) {
        int[] extent = product.extent(role);
        return Matrix.zeros(form.type(role), extent[0], extent[1]);
    }

    private Matrix matrix(String option, Role role) throws IOException {
        int[] extent = product.extent(role);
        Format format = form.type(role);
        return Command.value(given, option) == null
                ? Matrix.of(format, extent[0], extent[1], (r, c) -> random(format))
                : file(option, format, extent[0], extent[1]);
    }

    private @Nullable Matrix scale(String option, Role role) throws IOException {
        if (!form.blockScaled()) {
            if (Command.value(given, option) != null) {
                throw new UsageError(option + ": " + form + " has no scale factors");
            }
            return null;
        }
        ScaleFactors factors = LayoutEntry.scaleFactors(form, role);
        int rows = role == Role.A ? factors.lines() : factors.vectors();
        int columns = role == Role.A ? factors.vectors() : factors.lines();
        Format format = factors.format();
        return Command.value(given, option) == null
                ? Matrix.of(format, rows, columns, (r, c) -> scaleCode(format))
                : file(option, format, rows, columns);
    }

    private long scaleCode(Format format) {
        return format == FloatFormat.UE8M0
                ? 127 + random.nextInt(-3, 4)
                : format.encode(
                        format.value(0x30 + random.nextInt(16)),
                        Rounding.NEAREST_EVEN,
                        Overflow.SATFINITE);
    }

    /// A moderate random element: floats in -1..1, integers over their whole range.
    private long random(Format format) {
        return switch (format) {
            case FloatFormat f ->
                    f.encode(random.nextDouble(-1, 1), Rounding.NEAREST_EVEN, Overflow.SATFINITE);
            case IntegerFormat i -> random.nextLong() & i.mask();
        };
    }

    /// A tensor as it is, or a compressed matrix with its zeros.
    private static Tensor tensor(String name, Format format) throws IOException {
        TensorReference reference = TensorReference.parse(name);
        if (reference.file().toString().endsWith(".safetensors")) {
            try (MatrixSource source =
                    MatrixSource.open(reference.file(), MatrixSource.Hints.NONE)) {
                NamedMatrix matrix =
                        reference.name().isPresent() || source.matrices().size() != 1
                                ? source.matrices().get(reference.name().orElse(""))
                                : source.matrices().values().iterator().next();
                if (matrix != null
                        && !matrix.stored().format().dense()
                        && matrix.stored().type().format() == format) {
                    return matrix.expanded();
                }
            } catch (SparsityException e) {
                throw new UsageError(name + ": " + e.getMessage());
            }
        }
        return reference.read(format);
    }

    private Matrix file(String option, Format format, int rows, int columns) throws IOException {
        String name = Command.value(given, option);
        if (name == null) {
            throw new UsageError("exec: " + option + " is missing");
        }
        Tensor tensor = tensor(Command.input(given).tensor(name), format);
        boolean vector = columns == 1 && tensor.shape().equals(List.of(rows));
        if (!vector && !tensor.shape().equals(List.of(rows, columns))) {
            throw new UsageError(
                    "%s %s: found shape %s, expected %d x %d %s for %s"
                            .formatted(
                                    option,
                                    name,
                                    tensor.shape(),
                                    rows,
                                    columns,
                                    format.ptxName(),
                                    form.opcode()));
        }
        return vector ? new Matrix(rows, 1, tensor.codes()) : tensor.matrix();
    }
}
