/// Random kernels: seeded PTX over the typed scalar and warp instructions, run on every machine
/// there is and compared bit for bit.
///
/// A kernel loads its registers from a buffer of random bits, computes, and stores: either the
/// result of each instruction, so that the first difference names its instruction, or only the
/// last values of all registers, so that compilers may keep values to themselves. Nothing that the
/// manual leaves open is generated. The approximate functions have the bits of an sm_90.
@NullMarked
package dev.heddle.conformance.kernels;

import org.jspecify.annotations.NullMarked;
