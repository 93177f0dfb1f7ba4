package dev.heddle.tensorcore;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.Rule;

/// An input for which the manual calls the instruction's behaviour undefined.
public final class UndefinedInputException extends InputException {
    private static final long serialVersionUID = 1L;

    private final Rule rule;

    UndefinedInputException(Rule rule, String found) {
        super(
                "undefined behavior: %s: %s%nrule: %s, PTX ISA %s"
                        .formatted(found, rule.text(), rule.id(), rule.section()));
        this.rule = rule;
    }

    /// The rule that the input breaks.
    public Rule rule() {
        return rule;
    }
}
