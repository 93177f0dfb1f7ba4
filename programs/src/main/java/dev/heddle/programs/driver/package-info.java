/// The functions of the CUDA Driver API, as far as the runtime does not have them under another
/// name.
@NullMarked
package dev.heddle.programs.driver;

import org.jspecify.annotations.NullMarked;
