package dev.heddle.cuda.golden;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Target;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// What is recorded: which forms, how many cases of each, from which seed.
///
/// @param forms the forms, each under its number in [#executable]
/// @param cases cases of each form
/// @param seed where all values come from
public record Recording(List<NumberedForm> forms, int cases, long seed) {
    /// A form and the number by which cases name it; the same in every recording.
    public record NumberedForm(int id, Form form) {}

    /// Checks the counts.
    public Recording {
        forms = List.copyOf(forms);
        if (cases < 1) {
            throw new InputException(cases + " cases a form: at least 1 is needed");
        }
    }

    /// Every form that a Hopper GPU executes and a driver of CUDA 13.0 compiles, block-scaled
    /// ones apart (they are for other chips): `mma`, `mma.sp`, `wgmma` of every N.
    public static List<NumberedForm> executable() {
        List<NumberedForm> numbered = new ArrayList<>();
        for (Family family : Family.values()) {
            for (Form form : Forms.of(family, Target.parse("sm_90a"), PtxVersion.parse("9.0"))) {
                if (!form.blockScaled()) {
                    numbered.add(new NumberedForm(numbered.size(), form));
                }
            }
        }
        return List.copyOf(numbered);
    }

    /// A recording of those executable forms that `wanted` accepts.
    public static Recording of(Predicate<Form> wanted, int cases, long seed) {
        return new Recording(
                executable().stream().filter(numbered -> wanted.test(numbered.form())).toList(),
                cases,
                seed);
    }
}
