/// Says what is wrong with a module: what an assembler would reject, what the manual calls
/// undefined, and what could be better.
///
/// The instructions stand in the manual's own notation: each block of [ArithmeticForms],
/// [LogicForms], [MemoryForms], [SynchronizationForms] and [WmmaForms] opens with a section number
/// and lists syntax lines and the sets of qualifiers they use. From these lines derive which
/// qualifiers may stand together, how many operands there are, of which kind and type, and which
/// version and target each part needs:
///
/// ```
/// 9.7.1.1
/// add.type d, a, b
/// add{.sat}.s32 d, a, b
/// .type = u16 u32 u64 s16 s32 s64 u16x2@8.0/90 s16x2@8.0/90
/// ```
///
/// Qualifiers other than types may come in any order, because the assembler takes them so.
///
/// In operands, `a:u32` gives a type (the instruction's last type where none is given), `a:.dtype`
/// the type chosen from that set, `d:wide` twice its width; `~a` may be wider than its type (PTX
/// ISA
/// 9.4.1), `#a` is a constant (`#n:128` that one alone), `[a]` an address, `d*` a vector where
/// `.vec` says so, `d*4` one of four, `d_` may be
/// the
/// sink, `p|q?` may be a pair, `b?` may be missing, and `b?hint` stands exactly where the set
/// `.hint` is used. `@8.0/90` asks for PTX 8.0 and sm_90; `90a` means that target alone, `100f` its
/// family, `90a+100f` either.
@NullMarked
package dev.heddle.ptx.check;

import org.jspecify.annotations.NullMarked;
