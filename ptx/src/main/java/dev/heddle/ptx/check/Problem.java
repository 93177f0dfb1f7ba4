package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Position;

/// Something wrong with an operand, before it is known whether another form fits better.
///
/// @param rule its name
/// @param position the operand
/// @param width in characters
/// @param message what was found and what is allowed
/// @param remedy what to change
/// @param section empty for the section of the form
record Problem(
        Rule rule, Position position, int width, String message, String remedy, String section) {}
