/// How the matrix instructions round: the one place for what the manual leaves open.
///
/// PTX ISA 9.7.14.5.14 calls accumulation order, rounding and the handling of subnormal inputs
/// unspecified. Each [Generation] of GPUs answers in its own way; [Numerics] holds the answers,
/// each an [Accumulation] with the [Evidence] for it:
///
/// ```
/// Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
/// Numerics.of(form, Generation.SM_90).orElseThrow().description();
/// // one fused sum of 16 products and C, terms truncated at 25 fraction bits, result toward zero
/// ```
///
/// [ExactProduct] computes elements of D from that description with integers of any size: the
/// readable definition, which the fast kernels are held against.
@NullMarked
package dev.heddle.tensorcore.numerics;

import org.jspecify.annotations.NullMarked;
