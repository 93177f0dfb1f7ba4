/// Machine code for x86-64 processors with AVX-512 or AVX2: instructions as bytes, and memory from
/// which they run.
///
/// An [Assembler] holds the code of one function; an [ExecutableMemory] makes it callable.
/// Encodings are those of the Intel 64 and IA-32 Architectures Software Developer's Manual, volume
/// 2 (2.7 for EVEX, 2.3.5 for VEX).
@NullMarked
package dev.heddle.tensorcore.x86;

import org.jspecify.annotations.NullMarked;
