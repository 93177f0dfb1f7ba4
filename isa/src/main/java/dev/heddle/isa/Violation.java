package dev.heddle.isa;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;

/// One broken rule at one place of an instruction.
///
/// @param rule    the rule
/// @param operand index of the operand, -1 for the opcode as a whole
/// @param found   what is there
/// @param allowed what may appear there
/// @param section the section of PTX ISA 9.1 that says so
public record Violation(Rule rule, int operand, String found, String allowed, String section) {
    static Violation of(Rule rule, String found, String allowed) {
        return new Violation(rule, -1, found, allowed, rule.section());
    }

    /// This violation with the section of the form at hand.
    Violation in(String otherSection) {
        return new Violation(rule, operand, found, allowed, otherSection);
    }

    /// Whether the code is invalid, undefined, or merely advised against.
    public Verdict verdict() {
        return rule.verdict();
    }

    /// `what the rule says: found X; allowed: Y`.
    public String message() {
        String text = rule.text() + ": found " + found;
        return allowed.isEmpty() ? text : text + "; allowed: " + allowed;
    }

    @Override
    public String toString() {
        return verdict() + ": " + message() + " [" + rule.id() + ", PTX ISA " + section + "]";
    }
}
