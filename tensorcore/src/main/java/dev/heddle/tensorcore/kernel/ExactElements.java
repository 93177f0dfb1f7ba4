package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.ExactProduct;
import dev.heddle.tensorcore.numerics.Trace;

import java.util.Optional;

/// Elements in integers of any size, by [ExactProduct].
public final class ExactElements implements ElementKernel.Element {
    private final ExactProduct product;
    private final Accumulation rule;
    private final TermReader terms;
    private final Optional<FloatFormat> scaleFormat;

    ExactElements(Form form, Accumulation rule, TermReader terms) {
        this.product =
                new ExactProduct(
                        form.type(Role.A), form.type(Role.B), form.type(Role.C), form.type(Role.D));
        this.rule = rule;
        this.terms = terms;
        this.scaleFormat = form.scaleFactors(Role.A).map(factors -> (FloatFormat) factors.format());
    }

    /// The elements of a form in these places; the metadata of a sparse A are read before each.
    public static ExactElements of(
            Form form, Accumulation rule, Places places, Optional<Sparsity> sparsity) {
        return new ExactElements(form, rule, TermReader.of(form, places, sparsity));
    }

    @Override
    public long code(Inputs in, int row, int column) {
        return trace(in, row, column).code();
    }

    /// How the element at a row and a column comes about.
    public Trace trace(Inputs in, int row, int column) {
        terms.load(in, row, column);
        Optional<ExactProduct.Scales> scales =
                scaleFormat.map(
                        format ->
                                new ExactProduct.Scales(
                                        format, terms.scalesA(in, row), terms.scalesB(in, column)));
        return product.trace(
                rule,
                new ExactProduct.Terms(
                        terms.a(),
                        terms.b(),
                        terms.c(in, row, column),
                        in.negateProducts(),
                        scales));
    }
}
