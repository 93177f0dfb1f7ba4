/// Figures and the page.
@NullMarked
package dev.heddle.explorer;

import org.jspecify.annotations.NullMarked;
