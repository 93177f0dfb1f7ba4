/// What a run tells about a kernel: findings in fixed words, each with its place, its cause and
/// its rule.
@NullMarked
package dev.heddle.vm.report;

import org.jspecify.annotations.NullMarked;
