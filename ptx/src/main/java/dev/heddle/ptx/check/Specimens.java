package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// Instructions of every syntax line that are legal for one target: what else reads PTX can be
/// held against them.
///
/// Each line gives several instructions: every qualifier of every set stands in one at least, as far
/// as the target and the version have it.
public final class Specimens {
    private static final int TRIES = 12;
    private static final int A_MODULE = 400;

    private final String architecture;
    private final String version;
    private final Dealer dealer;

    private Specimens(String architecture, String version, long seed) {
        this.architecture = architecture;
        this.version = version;
        dealer = new Dealer(new SplittableRandom(seed));
    }

    /// A legal instruction.
    ///
    /// @param section of the manual that has its syntax line
    /// @param line the syntax line in the notation of this package
    /// @param text the instruction
    public record Specimen(String section, String line, String text) {}

    /// The specimens for a target; the seed chooses registers and what stands beside what.
    ///
    /// @param architecture as `.target` names it
    /// @param version as `.version` names it
    public static List<Specimen> of(String architecture, String version, long seed) {
        return new Specimens(architecture, version, seed).deal();
    }

    /// A module that holds these instructions in their order, each on a line of its own.
    public static String module(
            String architecture, String version, List<Specimen> specimens) {
        return Dealer.module(
                architecture, version, specimens.stream().map(Specimen::text).toList());
    }

    /// How many syntax lines there are, for all targets.
    public static int lines() {
        return Forms.count();
    }

    /// Syntax lines without specimens because they end a block or leave their operands open, in
    /// the notation of this package.
    public static List<String> notDealt() {
        return Forms.all().stream().filter(form -> !Dealer.canDeal(form)).map(Form::text).toList();
    }

    private List<Specimen> deal() {
        List<Specimen> drawn = new ArrayList<>();
        for (Form form : Forms.all()) {
            if (Dealer.canDeal(form)) {
                for (String text : instructions(form)) {
                    drawn.add(new Specimen(form.section(), form.text(), text));
                }
            }
        }
        List<Specimen> legal = new ArrayList<>();
        for (int from = 0; from < drawn.size(); from += A_MODULE) {
            legal.addAll(legal(drawn.subList(from, Math.min(from + A_MODULE, drawn.size()))));
        }
        return legal;
    }

    private TreeSet<String> instructions(Form form) {
        TreeSet<String> texts = new TreeSet<>();
        for (int i = 0; i < TRIES; i++) {
            texts.add(dealer.deal(form).text());
        }
        for (Form.Slot slot : form.slots()) {
            for (Form.Choice choice : slot.choices()) {
                for (int i = 0; i < 2; i++) {
                    texts.add(dealer.deal(form, slot, choice).text());
                }
            }
        }
        return texts;
    }

    private List<Specimen> legal(List<Specimen> drawn) {
        int first = (int) Dealer.head(architecture, version).lines().count() + 1;
        List<Specimen> legal = new ArrayList<>(drawn);
        String module = module(architecture, version, drawn);
        for (Diagnostic finding : Check.text(module, "specimens.ptx").findings()) {
            int index = finding.position().line() - first;
            if (finding.outcome() == Outcome.INVALID && index >= 0 && index < drawn.size()) {
                legal.remove(drawn.get(index));
            }
        }
        return legal;
    }
}
