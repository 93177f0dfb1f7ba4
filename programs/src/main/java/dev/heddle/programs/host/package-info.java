/// The process of a program as Java sees it: its memory, its code, its calls, the answers it gets.
///
/// [EntryPoints] makes methods into the functions that C calls; what one of them throws becomes an
/// [ErrorCode]. A function that only calls another, with some of its parameters and constants, is
/// a line of `aliases.txt`. [Host] reads and writes the process's memory.
@NullMarked
package dev.heddle.programs.host;

import org.jspecify.annotations.NullMarked;
