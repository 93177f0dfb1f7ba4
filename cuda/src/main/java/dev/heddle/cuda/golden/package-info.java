/// Records golden vectors on a GPU: cases drawn to probe the corners of an instruction's
/// arithmetic, run twice, and written in the container `NVGOLD01`.
///
/// [Recording] says what: forms, cases of each, a seed. [GoldenRecorder] runs it. What is drawn
/// does not depend on the layouts of fragments that Heddle computes with (only on which lanes
/// supply metadata), so a recording can prove them wrong.
@NullMarked
package dev.heddle.cuda.golden;

import org.jspecify.annotations.NullMarked;
