package dev.heddle.tensorcore;

import dev.heddle.formats.InputException;
import dev.heddle.formats.Matrix;
import dev.heddle.isa.ASource;
import dev.heddle.isa.CompressedTile;
import dev.heddle.isa.Form;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.SparseTile;
import dev.heddle.tensorcore.numerics.Trace;

import java.util.Optional;

/// One instruction on whole matrices of element codes, by way of its registers.
///
/// ```
/// MatrixProduct product = MatrixProduct.of(TensorCore.of(form, Generation.SM_90));
/// Matrix d = product.execute(new MatrixProduct.Inputs(a, b, c));
/// ```
///
/// A is M x K; of a sparse form it must conform to the granularity (see [SparseTile#prune]) and is
/// compressed, or comes as its stored half; metadata are under selector 0. B is K x N, C and D are
/// M x N. For `mma.m8n8k4` with `.f16`, which computes four products, A, C and D are four tiles
/// below each other, B four side by side.
public final class MatrixProduct {
    private final TensorCore core;
    private final Form form;

    private MatrixProduct(TensorCore core) {
        this.core = core.withOrder(RegisterOrder.LANE_MAJOR);
        this.form = core.form();
    }

    /// The product that a tensor core computes.
    public static MatrixProduct of(TensorCore core) {
        return new MatrixProduct(core);
    }

    /// What goes in.
    ///
    /// @param a        M x K, or with metadata the stored half of it
    /// @param b        K x N
    /// @param c        M x N
    /// @param scaleA   M x factors along K, for block-scaled forms
    /// @param scaleB   factors along K x N, for block-scaled forms
    /// @param metadata the nibble of each row and chunk of a stored A; empty if A is whole
    public record Inputs(
            Matrix a,
            Matrix b,
            Matrix c,
            Optional<Matrix> scaleA,
            Optional<Matrix> scaleB,
            Optional<Matrix> metadata) {
        /// Inputs of a form without scale factors, with the whole of A.
        public Inputs(Matrix a, Matrix b, Matrix c) {
            this(a, b, c, Optional.empty(), Optional.empty(), Optional.empty());
        }

        /// The same with scale factors.
        public Inputs withScales(Matrix ofA, Matrix ofB) {
            return new Inputs(a, b, c, Optional.of(ofA), Optional.of(ofB), metadata);
        }

        /// The same with a stored half as A.
        public Inputs withStored(Matrix stored, Matrix nibbles) {
            return new Inputs(stored, b, c, scaleA, scaleB, Optional.of(nibbles));
        }
    }

    /// The rows and columns of an operand as a matrix; of A the dense ones.
    public int[] extent(Role role) {
        if (role == Role.A || role == Role.B && form.family().warpgroup()) {
            int factor = form.fragment(Role.D).computations();
            return role == Role.A
                    ? new int[] {form.shape().m() * factor, form.shape().k()}
                    : new int[] {form.shape().k(), form.shape().n()};
        }
        FragmentWords words = new FragmentWords(form.fragment(role));
        return new int[] {words.rows(), words.columns()};
    }

    /// The operands as registers and shared-memory words.
    ///
    /// @throws InputException if a matrix is of another size or format, or A does not
    ///     conform; the message names the operand, or row, chunk and values
    public Operands operands(Inputs inputs) {
        requireFit(inputs);
        Matrix stored = inputs.a;
        int[] metadata = {};
        if (form.sparse()) {
            SparseTile tile = SparseTile.of(form);
            CompressedTile compressed =
                    inputs.metadata
                            .map(nibbles -> new CompressedTile(tile, inputs.a, nibbles))
                            .orElseGet(() -> tile.compress(inputs.a));
            stored = compressed.stored();
            metadata = compressed.words(0);
        }
        int[] a =
                form.aSource() == ASource.REGISTERS
                        ? new FragmentWords(form.fragment(Role.A)).pack(stored)
                        : lines(stored);
        int[] b =
                form.family().warpgroup()
                        ? lines(inputs.b.transposed())
                        : new FragmentWords(form.fragment(Role.B)).pack(inputs.b);
        int[] c = new FragmentWords(form.fragment(Role.C)).pack(inputs.c);
        Operands operands = Operands.of(a, b, c);
        if (form.sparse()) {
            operands = operands.withMetadata(metadata, 0);
        }
        if (form.blockScaled()) {
            operands =
                    operands.withScales(
                            scales(Role.A, inputs.scaleA),
                            Operands.ScaleSelector.ZERO,
                            scales(Role.B, inputs.scaleB),
                            Operands.ScaleSelector.ZERO);
        }
        return operands;
    }

    private void requireFit(Inputs inputs) {
        if (!form.sparse() && inputs.metadata.isPresent()) {
            throw new InputException(form + " takes no metadata");
        }
        if (!form.blockScaled() && (inputs.scaleA.isPresent() || inputs.scaleB.isPresent())) {
            throw new InputException(form + " takes no scale factors");
        }
        if (inputs.metadata.isEmpty()) {
            require(Role.A, inputs.a);
        }
        require(Role.B, inputs.b);
        require(Role.C, inputs.c);
    }

    /// Executes the instruction.
    ///
    /// @throws InputException as [#operands] does
    public Matrix execute(Inputs inputs) {
        int[] d = new int[core.words(Role.D)];
        core.execute(operands(inputs), d);
        return new FragmentWords(form.fragment(Role.D)).unpack(d);
    }

    /// How one element of D comes about; see [TensorCore#trace].
    ///
    /// @throws InputException  as [#operands] does
    /// @throws IndexOutOfBoundsException if D has no such row or column
    public Trace trace(Inputs inputs, int row, int column) {
        return core.trace(operands(inputs), row, column);
    }

    private void require(Role role, Matrix matrix) {
        int[] extent = extent(role);
        matrix.require(role.toString(), extent[0], extent[1], form.type(role));
    }

    /// A matrix line after line in 32-bit words, as [TensorCore#load] gives it.
    private static int[] lines(Matrix matrix) {
        int bits = matrix.format().bits();
        int[] words =
                new int[(int) ((long) matrix.rows() * matrix.columns() * bits / Integer.SIZE)];
        long at = 0;
        for (int row = 0; row < matrix.rows(); row++) {
            for (int column = 0; column < matrix.columns(); column++) {
                words[(int) (at / Integer.SIZE)] |=
                        (int) (matrix.bits(row, column) << at % Integer.SIZE);
                at += bits;
            }
        }
        return words;
    }

    private int[] scales(Role role, Optional<Matrix> given) {
        ScaleFactors factors = LayoutEntry.scaleFactors(form, role);
        int rows = role == Role.A ? factors.lines() : factors.vectors();
        int columns = role == Role.A ? factors.vectors() : factors.lines();
        Matrix matrix = given.orElse(null);
        if (matrix == null) {
            throw new InputException(
                    "operand SF%s: none given, expected %dx%d %s"
                            .formatted(role, rows, columns, factors.format().ptxName()));
        }
        matrix.require("SF" + role, rows, columns, factors.format());
        int[] words = new int[32];
        for (int line = 0; line < factors.lines(); line++) {
            for (int vector = 0; vector < factors.vectors(); vector++) {
                ScaleFactors.Supplier at =
                        factors.supplier(new ScaleFactors.Factor(line, vector), 0, 0);
                long code = role == Role.A ? matrix.bits(line, vector) : matrix.bits(vector, line);
                words[at.lane()] |= (int) (code << at.bitLow());
            }
        }
        return words;
    }
}
