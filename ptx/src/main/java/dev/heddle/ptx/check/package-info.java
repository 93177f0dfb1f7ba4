/// Says what is wrong with a module: what an assembler would reject, what the manual calls
/// undefined, and what could be better.
///
/// The table of [dev.heddle.ptx.instruction] says what the instructions are; rules here say what
/// its notation cannot. What findings say is a table, too: `Wording`, by the ids of the rules.
@NullMarked
package dev.heddle.ptx.check;

import org.jspecify.annotations.NullMarked;
