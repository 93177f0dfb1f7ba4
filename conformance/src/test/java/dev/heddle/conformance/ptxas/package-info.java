/// Agreement with the assembler: modules of one instruction, legal and nearly legal, judged by the
/// model and by `ptxas`.
///
/// [Candidates] deals seeded candidates; [AssemblerSweep] asks both and compares; what they may
/// differ in is an [Exemption]. A candidate that `ptxas` takes and the model calls invalid, or the
/// reverse, is a fault of one of the two: the manual decides.
@NullMarked
package dev.heddle.conformance.ptxas;

import org.jspecify.annotations.NullMarked;
