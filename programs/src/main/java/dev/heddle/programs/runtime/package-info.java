/// The functions of the CUDA Runtime API, by the chapters of its reference.
@NullMarked
package dev.heddle.programs.runtime;

import org.jspecify.annotations.NullMarked;
