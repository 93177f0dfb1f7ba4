/// What the matrix instructions compute: accumulation models per GPU generation, execution of a form.
@NullMarked
package dev.heddle.tensorcore;

import org.jspecify.annotations.NullMarked;
