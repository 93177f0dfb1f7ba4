/// Says what is wrong with a module: what an assembler would reject, what the manual calls
/// undefined, and what could be better.
///
/// What the instructions are stands in the table of [dev.heddle.ptx.instruction]; rules here say
/// what its notation cannot.
@NullMarked
package dev.heddle.ptx.check;

import org.jspecify.annotations.NullMarked;
