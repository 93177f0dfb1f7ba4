/// Number formats of the tensor-core operands: what the bits of an element mean, and where they
/// lie.
///
/// An element is a *code*, the low bits of a `long`. A [dev.heddle.formats.Format] says what value
/// a code stands for and which code a value rounds to. A [dev.heddle.formats.Packing] says where
/// codes are in a register. [dev.heddle.formats.Codes] holds many of them in memory, with a shape
/// as [dev.heddle.formats.Matrix] or [dev.heddle.formats.Tensor].
///
/// # Values
///
/// A floating-point code consists of a sign, an exponent field and a fraction field. Take the e4m3
/// code `0x35`, in binary `0 0110 101`: four bits of exponent with bias 7, three bits of fraction.
/// The exponent field 6 stands for 2^-1, the fraction 5 for 1.625 in units of it, so the value is
/// 0.8125. In integers, which is how [dev.heddle.formats.FloatFormat] gives it without any loss,
/// that is `significand * 2^exponent` with significand 13, the hidden bit included, and exponent `6
/// - 7 - 3`:
/// ```
/// FloatFormat.E4M3.significand(0x35)                                  // 13
/// FloatFormat.E4M3.exponent(0x35)                                     // -4
/// FloatFormat.E4M3.toDouble(0x35)                                     // 0.8125
/// FloatFormat.E4M3.encode(0.84375, NEAREST_EVEN, Overflow.IEEE)       // 0x36: a tie, to even
/// FloatFormat.E4M3.encode(0.84375, TOWARD_ZERO, Overflow.IEEE)        // 0x35
/// FloatFormat.E4M3.encode(1000.0, NEAREST_EVEN, Overflow.SATFINITE)   // 0x7e: 448
/// FloatFormat.E4M3.encode(1000.0, NEAREST_EVEN, Overflow.IEEE)        // 0x7f: NaN
/// ```
/// The formats differ in more than widths. e4m3 has a NaN but no infinity, e3m2, e2m3 and e2m1 have
/// neither; ue8m0, a scale factor, is a bare exponent: no sign, no zero. tf32 is an f32 whose low
/// 13 bits nobody reads. All of it is in the table of constants of `FloatFormat`.
///
/// Rounding happens once, from the exact value: f64 to e4m3 by way of f16 would round twice and can
/// give another code. Decimals, products and sums of any length go through
/// [dev.heddle.formats.Value], an exact number without a format.
///
/// # Places
///
/// Elements are side by side in a register, each in its container. In most cases the container is
/// as wide as the code, eight e2m1 to a 32-bit register. The `.kind::f8f6f4` forms of `mma` give
/// each element a byte, and put e2m1 in bits 5 to 2 of it:
/// ```
/// Packing.dense(FloatFormat.E2M1).lowBit(3)     // 12
/// Packing.padded(FloatFormat.E2M1).lowBit(3)    // 26
/// ```
///
/// Sections are those of PTX ISA 9.1: formats in 5.2.1 and 5.2.3, conversion and rounding in 6.5
/// and 9.7.9.21, packed operands in 5.2.5 and 9.7.14.5.
@NullMarked
package dev.heddle.formats;

import org.jspecify.annotations.NullMarked;
