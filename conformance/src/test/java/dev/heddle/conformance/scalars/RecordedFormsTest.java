package dev.heddle.conformance.scalars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Notation.Choice;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Requirement;
import dev.heddle.isa.Target;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.FormMatcher;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionTable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Every way to fill the syntax lines of the scalar instructions that an H100 has stands in the
/// list of what it recorded.
@DisplayName("PTX ISA 9.7.1 to 9.7.9 and 9.7.18: every mnemonic is recorded")
final class RecordedFormsTest {
    private static final Target H100 = Target.parse("sm_90a");
    private static final PtxVersion VERSION = PtxVersion.parse("9.0");

    /// Arithmetic, comparison, logic; `prmt`, conversions; video.
    private static final Pattern SECTIONS =
            Pattern.compile("9\\.7\\.([1-8]\\..*|9\\.7|9\\.21|9\\.22|18\\..*)");

    /// `mad.f32` has a rounding from sm_20 on; to halves with `.ftz` the assembler departs from the
    /// manual (`docs/cuda.md`).
    private static final Pattern LEFT_OUT =
            Pattern.compile("mad(\\.ftz)?(\\.sat)?\\.f32|cvt\\.r[mp]\\.ftz(\\.sat)?\\.f16\\.f32");

    @Test
    void everyMnemonicOfTheTableIsRecorded() {
        Set<String> open = new TreeSet<>();
        for (InstructionForm form : InstructionTable.all()) {
            if (SECTIONS.matcher(form.section()).matches() && isOnH100(form.requirement())) {
                fill(form, new ArrayList<>(), 0, open);
            }
        }
        assertThat(open).hasSizeGreaterThan(6_000);
        open.removeAll(recorded());
        open.removeIf(
                mnemonic -> LEFT_OUT.matcher(mnemonic).matches() || saturatesNothing(mnemonic));
        assertThat(open).isEmpty();
    }

    private static boolean isOnH100(@Nullable Requirement requirement) {
        return requirement == null
                || VERSION.atLeast(requirement.version()) && requirement.targets().include(H100);
    }

    /// Every choice for the slots of a form, from this one on.
    private static void fill(
            InstructionForm form, List<String> words, int slot, Set<String> mnemonics) {
        if (slot == form.slots().size()) {
            FormMatch match = FormMatch.of(form, words);
            if (match.fits()) {
                mnemonics.add(match.mnemonic());
            }
            return;
        }
        if (form.slots().get(slot).optional()) {
            fill(form, words, slot + 1, mnemonics);
        }
        for (Choice choice : form.slots().get(slot).choices()) {
            if (isOnH100(choice.requirement())) {
                words.add(choice.word());
                fill(form, words, slot + 1, mnemonics);
                words.removeLast();
            }
        }
    }

    private static Set<String> recorded() {
        StringBuilder module =
                new StringBuilder(".version 9.0\n.target sm_90a\n.address_size 64\n");
        int number = 0;
        for (ScalarForm form : ScalarForm.all()) {
            module.append(".visible .entry f%d() {\n".formatted(number++))
                    .append(form.declarations())
                    .append(form.instruction())
                    .append("\nret;\n}\n");
        }
        Set<String> mnemonics = new TreeSet<>();
        FormMatcher matches = new FormMatcher();
        for (ModuleItem item : Ptx.parse(module.toString(), "forms.ptx").module().items()) {
            if (item instanceof Function function && function.body() != null) {
                for (Statement statement : function.body().statements()) {
                    if (statement instanceof Instruction instruction) {
                        matches.of(instruction)
                                .fitting()
                                .forEach(match -> mnemonics.add(match.mnemonic()));
                    }
                }
            }
        }
        return mnemonics;
    }

    /// `.sat` between integers is for results that cannot hold every operand (9.7.9.21).
    private static boolean saturatesNothing(String mnemonic) {
        String[] words = mnemonic.split("[.]", -1);
        if (!mnemonic.startsWith("cvt.sat.") || words.length != 4) {
            return false;
        }
        ScalarType to = ScalarType.of(words[2]);
        ScalarType from = ScalarType.of(words[3]);
        return to != null
                && from != null
                && to.isInteger()
                && from.isInteger()
                && (to.kind() == from.kind()
                        ? to.bits() >= from.bits()
                        : from.kind() == ScalarType.Kind.UNSIGNED && to.bits() > from.bits());
    }
}
