/// From PTX to the IR of `dev.heddle.vm.ir`.
///
/// [ModuleLayout] places variables, [CodeBuilder] keeps the registers and blocks of one function,
/// and one class per chapter of the manual says which operations an instruction is made of:
/// [ArithmeticLowering] (9.7.1 to 9.7.5, 9.7.8), [ComparisonLowering] (9.7.6, 9.7.7),
/// [ConversionLowering] (`cvt`), [MemoryLowering] (9.7.9, atomics), [WarpLowering] (9.7.13, 9.7.14)
/// and [ControlLowering] (9.7.12). What none of them knows becomes a step that ends the launch as
/// `unsupported` when a lane reaches it.
@NullMarked
package dev.heddle.vm.lowering;

import org.jspecify.annotations.NullMarked;
