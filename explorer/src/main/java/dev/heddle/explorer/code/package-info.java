/// A form as source text for other tools: CUDA C++ that loads its fragments, packs its metadata and
/// executes it, and its layouts in the notation of CuTe.
///
/// All of it is read off [dev.heddle.isa.Form]; nothing here knows a layout of its own.
@org.jspecify.annotations.NullMarked
package dev.heddle.explorer.code;
