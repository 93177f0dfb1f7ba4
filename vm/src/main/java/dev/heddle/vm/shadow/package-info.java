/// What the checks remember of memory and registers beside their values.
///
/// Of shared memory, who wrote and read each word ([SharedShadow]), and what is over for whom
/// ([HappensBefore]); of an mbarrier, who has arrived ([BarrierLog]); of a frame's registers, which
/// bits nothing defines ([UndefinedBits]). Nothing in here knows a warp, or says what is wrong:
/// `sanitizer` does.
@NullMarked
package dev.heddle.vm.shadow;

import org.jspecify.annotations.NullMarked;
