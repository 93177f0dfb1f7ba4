/// The vocabulary of findings: every rule that a kernel can break, once, for what is checked in its
/// text and what is seen while it runs.
///
/// A rule is an entry of [Rule]: the name of the offence, its group, its [Verdict], the section of
/// the manual and one sentence. Who adds one adds the entry.
@NullMarked
package dev.heddle.isa.rule;

import org.jspecify.annotations.NullMarked;
