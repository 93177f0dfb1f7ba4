/// What one lane computes: every scalar operation of PTX as a pure static method.
///
/// The interpreter calls these methods and nothing else for arithmetic. The compiler calls them too
/// wherever it has no vector form, so that the two agree on a method that is wrong. Therefore each
/// operation has a witness that is neither of them: the results that a GPU recorded, or exact
/// arithmetic. `RecordedOperationsTest` in conformance fails for an operation without one.
///
/// Carriers are those of the JVM: `boolean` for `.pred`, `int` for 8-, 16- and
/// 32-bit registers, `long` for 64-bit ones, `float` and `double` for `.f32` and `.f64`. Values of
/// 16-bit registers are zero-extended in an `int`; methods that work on narrower values say so in
/// their name, or take the format (`add(a, b, F16)`). Qualifiers are composed, not multiplied out:
/// `add.rz.ftz.sat.f32` is `saturateF32(flushF32(addF32(flushF32(a), flushF32(b), TOWARD_ZERO)))`,
/// and `add.s16` is `zeroExtend16(add32(a, b))`. [SemanticMethod] says which method computes an
/// operation.
///
/// All give the bits of an sm_90, also where the manual only bounds the error (`Approximate` of
/// `tensorcore`) or does not say when a result counts as subnormal ([FlushedArithmetic]).
@NullMarked
package dev.heddle.vm.semantics;

import org.jspecify.annotations.NullMarked;
