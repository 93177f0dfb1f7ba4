package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// One question for every picture that differs from all others.
record EveryFigure(Form form, OperandName operand, LayoutEntry.Selection selection) {

    /// Of wgmma's widths, those that lie at an end or are no power of two.
    private static final Set<Integer> WIDTHS = Set.of(8, 24, 64, 200, 256);

    static List<EveryFigure> distinct() {
        Set<Object> seen = new HashSet<>();
        List<EveryFigure> questions = new ArrayList<>();
        for (Form form : Forms.all()) {
            if (form.family().warpgroup() && !WIDTHS.contains(form.shape().n())) {
                continue;
            }
            for (OperandName operand : Drawable.of(form)) {
                if (seen.add(content(form, operand))) {
                    selections(form, operand)
                            .forEach(each -> questions.add(new EveryFigure(form, operand, each)));
                }
            }
        }
        return questions;
    }

    /// All that a picture depends on but its caption; layouts print themselves whole.
    private static List<Object> content(Form form, OperandName operand) {
        return switch (operand) {
            case A, B, C, D -> {
                Fragment fragment = form.fragment(Role.valueOf(operand.name()));
                yield List.of(
                        fragment.role() == Role.C ? Role.D : fragment.role(),
                        fragment.rows(),
                        fragment.columns(),
                        fragment.packing(),
                        fragment.layout().toString(),
                        form.granularity().map(Enum::name).orElse("dense"));
            }
            case E -> List.of(form.metadata().orElseThrow().layout().toString(), form.shape().k());
            case SFA, SFB -> {
                ScaleFactors factors = factors(form, operand);
                yield List.of(factors.layout().toString(), factors.span());
            }
        };
    }

    private static ScaleFactors factors(Form form, OperandName operand) {
        return form.scaleFactors(operand == OperandName.SFA ? Role.A : Role.B).orElseThrow();
    }

    private static List<LayoutEntry.Selection> selections(Form form, OperandName operand) {
        return switch (operand) {
            case A, B, C, D -> List.of(LayoutEntry.Selection.FIRST);
            case E ->
                    form.metadata().orElseThrow().selectorValues().stream()
                            .map(f -> new LayoutEntry.Selection(f, 0))
                            .toList();
            case SFA, SFB -> {
                ScaleFactors factors = factors(form, operand);
                yield factors.byteIds().stream()
                        .flatMap(
                                b ->
                                        factors.threadIds().stream()
                                                .map(t -> new LayoutEntry.Selection(b, t)))
                        .toList();
            }
        };
    }

    Figure figure() {
        return Figure.of(form, operand, selection);
    }
}
