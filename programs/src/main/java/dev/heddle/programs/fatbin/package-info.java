/// Fat binaries: the PTX that nvcc puts into executables and shared objects.
@NullMarked
package dev.heddle.programs.fatbin;

import org.jspecify.annotations.NullMarked;
