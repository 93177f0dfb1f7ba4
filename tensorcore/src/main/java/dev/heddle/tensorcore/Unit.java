package dev.heddle.tensorcore;

import dev.heddle.isa.Form;
import dev.heddle.tensorcore.kernel.Inputs;
import dev.heddle.tensorcore.kernel.Kernels;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.kernel.MachineProduct;
import dev.heddle.tensorcore.kernel.Microkernel;
import dev.heddle.tensorcore.kernel.Places;
import dev.heddle.tensorcore.kernel.PlainKernel;
import dev.heddle.tensorcore.kernel.Sparsity;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.x86.ProductFunction;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/// The kernels of one computation, made when they are first needed, and the metadata that they
/// read. All give the same bits.
final class Unit {
    private final Form form;
    private final Accumulation accumulation;
    private final Places places;
    private final Speed speed;
    private final Optional<Sparsity> sparsity;
    private final Optional<MachineProduct> machine;
    private @Nullable Microkernel kernel;
    private @Nullable Microkernel irregular;
    private @Nullable PlainKernel plain;
    private @Nullable PlainKernel columns;

    Unit(Form form, Accumulation accumulation, Places places, Speed speed) {
        this.form = form;
        this.accumulation = accumulation;
        this.places = places;
        this.speed = speed;
        this.sparsity = sparsity(form, places);
        this.machine =
                speed == Speed.ADAPTIVE
                        ? Kernels.machine(form, accumulation, places, sparsity)
                        : Optional.empty();
    }

    static Optional<Sparsity> sparsity(Form form, Places places) {
        return form.metadata()
                .map(
                        sparse ->
                                new Sparsity(
                                        sparse.granularity(),
                                        places.metadata(),
                                        sparse.validNibbles()));
    }

    Optional<Sparsity> sparsity() {
        return sparsity;
    }

    /// Its machine code, for machine code that calls it.
    Optional<ProductFunction> function() {
        return machine.map(MachineProduct::function);
    }

    /// Computes D by machine code.
    ///
    /// @return false if it takes another way; then nothing was written
    boolean runAsMachineCode(Inputs in, Operands operands, int[] d) {
        return machine.isPresent()
                && machine.get().run(in, operands.metadata(), operands.selector(), d);
    }

    /// Computes D in ordinary arithmetic.
    ///
    /// @return false if it takes another way; then nothing was written
    boolean runPlainly(Inputs in, Operands operands, int[] d) {
        PlainKernel made = plain;
        if (made == null && (speed == Speed.ADAPTIVE || speed == Speed.PLAIN)) {
            made = Kernels.plain(form, accumulation, places).orElse(null);
            plain = made;
        }
        return made != null && made.run(in, operands.metadata(), operands.selector(), d);
    }

    /// Computes D by vectors of columns.
    ///
    /// @return false if it takes another way; then nothing was written
    boolean runByColumns(Inputs in, Operands operands, int[] d) {
        PlainKernel made = columns;
        if (made == null && hasColumns()) {
            made = Kernels.columns(form, accumulation, places).orElse(null);
            columns = made;
        }
        return made != null && made.run(in, operands.metadata(), operands.selector(), d);
    }

    private boolean hasColumns() {
        return switch (speed) {
            case COLUMNS -> true;
            case ADAPTIVE, FAST -> !Kernels.hasVectorsOfRows();
            case PLAIN, EXACT -> false;
        };
    }

    /// By vectors of rows, where the machine and the speed allow.
    Microkernel kernel() {
        Microkernel made = kernel;
        if (made == null) {
            made = Kernels.of(form, accumulation, places, sparsity, speed);
            kernel = made;
        }
        return made;
    }

    /// For metadata that the manual does not define.
    Microkernel irregular() {
        Microkernel made = irregular;
        if (made == null) {
            made = Kernels.of(form, accumulation, places, sparsity, Speed.EXACT);
            irregular = made;
        }
        return made;
    }
}
