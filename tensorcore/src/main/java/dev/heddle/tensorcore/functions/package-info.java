/// The approximate functions of PTX (`ex2.approx` and its kin), bit for bit.
///
/// The manual bounds the error of these functions and leaves their bits open (PTX ISA 9.7.3,
/// 9.7.4). On the machine each is one `MUFU` instruction, of the multi-function unit, and what
/// `ptxas` puts around it. [ApproximateFunction] is the table of the forms, [Approximate] the steps
/// of each, [Mufu] the unit's reductions and special cases, `Interpolator` the integer datapath
/// that all its functions share, and `coefficients.csv` its rows.
///
/// An example: `ex2.approx.ftz.f32` of 0.3 (0x3e99999a).
///
///     0.3 in fixed point, 23 fraction bits, cut        0x266666
///     its upper 6 bits pick the row                    19: c0 41220967, c1 27902, c2 609
///     the 17 below are x; q(x)                         0x6666; 1309
///     V = (c0 << 13) + c1 * x + c2 * q(x) + 0x77e2     0x4ecb122313
///     V >> 15, 24 significant bits                     0x9d9624
///     the integer part, 0, is the exponent             0x3f9d9624, 1.2311444
///
/// The model was measured on an NVIDIA H100 and an NVIDIA H200 (driver 580.159.04, `ptxas` 13.0,
/// 2026-11-22) and equals them on every input that [ApproximateFunction#evidence] names. The same
/// bits come from `ptxas -O0` and from PTX for sm_75 assembled for sm_90. Five of the cores equal a
/// model of the Tesla generation that the envytools project published in 2015 (`nvhw/sfu.c`), which
/// also named the form of the squarer; `sqrt`, `tanh`, the half types, the seeds of `.f64`, the
/// argument reductions and the steps of `ptxas` are new here.
@NullMarked
package dev.heddle.tensorcore.functions;

import org.jspecify.annotations.NullMarked;
