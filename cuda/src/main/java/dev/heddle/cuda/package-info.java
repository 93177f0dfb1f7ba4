/// The NVIDIA driver through foreign functions: launches on a real GPU, recording of golden vectors.
@NullMarked
package dev.heddle.cuda;

import org.jspecify.annotations.NullMarked;
