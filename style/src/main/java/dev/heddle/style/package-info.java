/// The form of the project's own sources.
@NullMarked
package dev.heddle.style;

import org.jspecify.annotations.NullMarked;
