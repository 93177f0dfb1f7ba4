/// Layouts as linear maps between named axes: registers, metadata, shared memory.
@NullMarked
package dev.heddle.layout;

import org.jspecify.annotations.NullMarked;
