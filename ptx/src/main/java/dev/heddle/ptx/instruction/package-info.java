/// What the instructions of PTX are: one table, in the manual's own notation, that the checker, the
/// machine, tests and documents read.
///
/// Each block of [ArithmeticForms], [LogicForms], [MemoryForms], [SynchronizationForms],
/// [WmmaForms], [TextureForms] and [VideoForms] opens with a section number and the
/// [InstructionKind] of the instruction, and lists syntax lines and the sets of qualifiers they
/// use, as [dev.heddle.isa.Notation] reads them. From these lines derive which qualifiers may
/// appear together, how many operands there are, of which kind and type, which of them are
/// written, and which version and target each part needs:
///
/// ```
/// 9.7.1.1 INTEGER_ADD
/// add.type  d, a, b;
/// add{.sat}.s32  d, a, b;
/// .type = {.u16, .u32, .u64, .s16, .s32, .s64, .u16x2 [8.0 sm_90], .s16x2 [8.0 sm_90]};
/// ```
///
/// Qualifiers other than types may come in any order, because the assembler takes them so.
///
/// In operands, `a:u32` gives a type (the instruction's last type where none is given), `a:.dtype`
/// the type chosen from that set, `d:wide` twice its width; `~a` may be wider than its type (PTX
/// ISA 9.4.1), `#a` is a constant (`#n:128` that one alone), `-a` may be negated, `[a]` an address,
/// `d*` a vector where `.vec` says so, `d*4` one of four, `d_` may be the sink, `a!` takes a pair
/// of halves where its type says that it does not, or the reverse, `=a` a register of its own type
/// or untyped, `%a` one of any type of that size where its type is one that no register has
/// ([InstructionForm.Registers]), `p|q?` may be a pair, `b?` may be missing, `a/part`
/// may name parts of a register ([Selector]), and `b?hint` is exactly where the set `.hint` is
/// used. Operands named `d` and `p` are written, all others are read. `[8.0 sm_90]` asks for PTX
/// 8.0 and sm_90 or higher; `=sm_90a` means that target alone, `sm_100+` its family.
///
/// A new instruction that is one function of its operands has the kind `COMPUTE`: it takes its line
/// here and a method of its name in `dev.heddle.vm.semantics`, and nothing else. One that is a
/// function of what the lanes of a warp have, together, has the kind `EXCHANGE`: it takes its line,
/// with the member mask called `m`, and an entry in `WarpFunction` there.
///
/// The products `mma` and `wgmma.mma_async` are in [dev.heddle.isa.Manual] in the same notation.
@NullMarked
package dev.heddle.ptx.instruction;

import org.jspecify.annotations.NullMarked;
