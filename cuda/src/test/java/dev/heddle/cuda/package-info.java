@NullMarked
package dev.heddle.cuda;

import org.jspecify.annotations.NullMarked;
