@NullMarked
package dev.heddle.cuda.golden;

import org.jspecify.annotations.NullMarked;
