/// The process of a program as Java sees it: its memory, its code, its calls, the answers it gets.
///
/// [EntryPoints] makes methods into the functions that C calls; what one of them throws becomes an
/// [ErrorCode]. [Host] reads and writes the process's memory.
@NullMarked
package dev.heddle.programs.host;

import org.jspecify.annotations.NullMarked;
