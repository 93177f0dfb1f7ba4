/// Tests of the extension, on kernels.
@NullMarked
package dev.heddle.junit;

import org.jspecify.annotations.NullMarked;
