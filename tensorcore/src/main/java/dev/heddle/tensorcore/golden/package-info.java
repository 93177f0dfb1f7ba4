/// Golden vectors: what a GPU computed, case by case, in the container format `NVGOLD01`.
///
/// A file is a stream of records. A [GoldenForm] names an instruction; the [GoldenCase]s behind it
/// hold registers and matrices before and after one execution of it. [GoldenReader] reads files,
/// packed with gzip or plain, one record at a time; [GoldenWriter] writes them.
@NullMarked
package dev.heddle.tensorcore.golden;

import org.jspecify.annotations.NullMarked;
