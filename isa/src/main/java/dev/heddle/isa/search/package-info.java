/// Finding a form by whatever a person has at hand.
///
/// A [dev.heddle.isa.search.FormSearch] reads words in any spelling (`f16 16x8x16`,
/// `wgmma e4m3 sparse`), names that a disassembler prints (`HMMA.16816.F32`), opcodes and inline
/// assembly, and ranks the legal forms: those that have everything asked for come first, and among
/// them the plainest.
///
/// ```
/// FormSearch.of("f16 16x8x16").forms().getFirst().form()   // mma.sync.aligned.m16n8k16…f32
/// ```
@NullMarked
package dev.heddle.isa.search;

import org.jspecify.annotations.NullMarked;
