/// What the matrix instructions of PTX compute, bit for bit.
///
/// A [TensorCore] executes one form on registers:
///
/// ```
/// Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
/// TensorCore core = TensorCore.of(form, Generation.SM_90);
/// int[] d = new int[core.words(Role.D)];
/// core.execute(Operands.of(a, b, c), d);      // registers of 32 lanes, lane by lane
/// core.accumulation().evidence();             // [MEASURED NVIDIA H200, golden mma_float]
/// ```
///
/// Operands in shared memory come through [TensorCore#load]. Inputs for which the manual defines
/// no behaviour are refused with the rule that they break.
@NullMarked
package dev.heddle.tensorcore;

import org.jspecify.annotations.NullMarked;
