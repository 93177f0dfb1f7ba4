package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.isa.Target;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// A generation of GPUs whose arithmetic the numerics table covers.
public enum Generation {
    SM_80(80, "Ampere, A100"),
    SM_86(86, "Ampere, GeForce 30"),
    SM_89(89, "Ada Lovelace"),
    SM_90(90, "Hopper"),
    SM_100(100, "Blackwell, B200"),
    SM_103(103, "Blackwell, B300"),
    SM_120(120, "Blackwell, GeForce 50"),
    SM_121(121, "Blackwell, DGX Spark");

    private final int number;
    private final String products;

    Generation(int number, String products) {
        this.number = number;
        this.products = products;
    }

    /// The generation of a target name: `sm_90`, or with a letter as in `sm_90a`.
    ///
    /// @throws InputException if the table has none; the message lists them
    public static Generation of(String target) {
        String baseline = target.replaceFirst("[af]$", "");
        for (Generation generation : values()) {
            if (generation.toString().equals(baseline)) {
                return generation;
            }
        }
        throw new InputException(
                "no numerics for \"%s\": expected one of %s"
                        .formatted(
                                target,
                                Arrays.stream(values())
                                        .map(Generation::toString)
                                        .collect(Collectors.joining(" "))));
    }

    /// The generation that code for a target runs on: its own, else the last one before it in the
    /// table, else the first.
    ///
    /// @param target the number in the target's name: 75 for `sm_75`
    public static Generation running(int target) {
        Generation found = values()[0];
        for (Generation generation : values()) {
            if (generation.number <= target) {
                found = generation;
            }
        }
        return found;
    }

    /// What the generation is called elsewhere.
    public String products() {
        return products;
    }

    /// Whether code for this generation, its `a` target included, may use a form.
    public boolean has(Form form) {
        return Target.all().stream()
                .anyMatch(
                        target ->
                                target.number() == number
                                        && form.requirement().targets().include(target));
    }

    /// The target without a letter: `sm_90`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
