package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// An instruction whose qualifiers are decoded; [GenericInstruction#typed()] gives it.
///
/// Operands stay those of the generic form. Fields hold qualifiers without dots; null or empty
/// where the instruction has none.
public sealed interface TypedInstruction extends Instruction {

    /// Integer arithmetic, extended precision included (PTX ISA 9.7.1, 9.7.2).
    ///
    /// @param generic the form as written
    /// @param operation `add`, `mad`, `bfe`, `popc`, ...; `addc` is `add` with carry in
    /// @param part `lo`, `hi`, `wide`, or null
    /// @param type of the operands
    /// @param saturate `.sat`
    /// @param carryIn reads the carry
    /// @param carryOut `.cc`: writes the carry
    record IntegerArithmetic(
            GenericInstruction generic,
            String operation,
            @Nullable String part,
            ScalarType type,
            boolean saturate,
            boolean carryIn,
            boolean carryOut)
            implements TypedInstruction {}

    /// Floating-point arithmetic, halves and pairs included (PTX ISA 9.7.3 to 9.7.5).
    ///
    /// @param generic the form as written
    /// @param operation `add`, `fma`, `ex2`, `testp`, ...
    /// @param type of the result
    /// @param rounding `rn`, `rz`, `rm`, `rp`, `approx`, `full`, or null for the default
    /// @param flush `.ftz`
    /// @param saturate `.sat`
    /// @param relu `.relu`
    /// @param propagateNan `.NaN`
    record FloatArithmetic(
            GenericInstruction generic,
            String operation,
            ScalarType type,
            @Nullable String rounding,
            boolean flush,
            boolean saturate,
            boolean relu,
            boolean propagateNan)
            implements TypedInstruction {}

    /// `set` and `setp` (PTX ISA 9.7.6, 9.7.7).
    ///
    /// @param generic the form as written
    /// @param comparison `eq`, `ltu`, ...
    /// @param combine `and`, `or`, `xor` with a further predicate, or null
    /// @param type of what is compared
    /// @param result of `set`; [ScalarType#PRED] for `setp`
    /// @param flush `.ftz`
    record Comparison(
            GenericInstruction generic,
            String comparison,
            @Nullable String combine,
            ScalarType type,
            ScalarType result,
            boolean flush)
            implements TypedInstruction {}

    /// `selp` and `slct` (PTX ISA 9.7.6.3, 9.7.6.4).
    ///
    /// @param generic the form as written
    /// @param type of what is chosen
    /// @param bySign whether the sign of a number chooses rather than a predicate
    record Selection(GenericInstruction generic, ScalarType type, boolean bySign)
            implements TypedInstruction {}

    /// `and`, `or`, `xor`, `not`, `cnot`, `lop3` and the shifts (PTX ISA 9.7.8).
    ///
    /// @param generic the form as written
    /// @param operation the opcode, `shf.l` and `shf.r` with their direction
    /// @param type of the operands
    /// @param wrap whether a funnel shift takes its count modulo 32
    record Logic(GenericInstruction generic, String operation, ScalarType type, boolean wrap)
            implements TypedInstruction {}

    /// `mov`: copies, packs, unpacks, takes addresses (PTX ISA 9.7.9.3, 9.7.9.4).
    ///
    /// @param generic the form as written
    /// @param type of the whole
    record Move(GenericInstruction generic, ScalarType type) implements TypedInstruction {}

    /// `cvt` (PTX ISA 9.7.9.21).
    ///
    /// @param generic the form as written
    /// @param to type of the result
    /// @param from type of the source
    /// @param rounding `rn`, `rzi`, ..., or null
    /// @param flush `.ftz`
    /// @param saturate `.sat`
    /// @param relu `.relu`
    /// @param saturateFinite `.satfinite`
    record Conversion(
            GenericInstruction generic,
            ScalarType to,
            ScalarType from,
            @Nullable String rounding,
            boolean flush,
            boolean saturate,
            boolean relu,
            boolean saturateFinite)
            implements TypedInstruction {}

    /// `prmt` (PTX ISA 9.7.9.7).
    ///
    /// @param generic the form as written
    /// @param mode `f4e`, ..., or null for the general one
    record Permutation(GenericInstruction generic, @Nullable String mode)
            implements TypedInstruction {}

    /// `shfl.sync` (PTX ISA 9.7.9.6).
    ///
    /// @param generic the form as written
    /// @param mode `up`, `down`, `bfly`, `idx`
    record Shuffle(GenericInstruction generic, String mode) implements TypedInstruction {}

    /// `cvta`, `mapa`, `getctarank`, `isspacep` (PTX ISA 9.7.9.19, 9.7.9.20, 9.7.9.23, 9.7.9.24).
    ///
    /// @param generic the form as written
    /// @param operation the opcode
    /// @param toSpace whether a generic address becomes one of the space (`cvta.to`)
    /// @param space the space, or null
    record AddressConversion(
            GenericInstruction generic, String operation, boolean toSpace, @Nullable String space)
            implements TypedInstruction {}

    /// `ld`, `ldu`, `st` (PTX ISA 9.7.9.8 to 9.7.9.11).
    ///
    /// @param generic the form as written
    /// @param store whether it writes memory
    /// @param space of the address, or null for a generic one
    /// @param type of one value
    /// @param vector values moved: 1, 2, 4 or 8
    /// @param order `weak`, `volatile`, `relaxed`, `acquire`, `release`, or null
    /// @param scope `cta`, ..., or null
    /// @param nonCoherent `.nc`
    record MemoryAccess(
            GenericInstruction generic,
            boolean store,
            @Nullable String space,
            ScalarType type,
            int vector,
            @Nullable String order,
            @Nullable String scope,
            boolean nonCoherent)
            implements TypedInstruction {}

    /// `prefetch`, `prefetchu`, `applypriority`, `discard`: hints about the cache.
    ///
    /// @param generic the form as written
    /// @param operation the opcode
    record CacheHint(GenericInstruction generic, String operation) implements TypedInstruction {}

    /// `cp.async` and its groups, bulk and tensor forms (PTX ISA 9.7.9.25 to 9.7.9.27).
    ///
    /// @param generic the form as written
    /// @param kind what it does
    record AsyncCopy(GenericInstruction generic, Kind kind) implements TypedInstruction {
        /// The forms of `cp.async`.
        public enum Kind {
            COPY,
            COMMIT_GROUP,
            WAIT_GROUP,
            WAIT_ALL,
            MBARRIER_ARRIVE,
            BULK,
            BULK_REDUCE,
            BULK_PREFETCH,
            TENSOR,
            BULK_COMMIT_GROUP,
            BULK_WAIT_GROUP
        }
    }

    /// `atom` and `red` (PTX ISA 9.7.13.5, 9.7.13.6).
    ///
    /// @param generic the form as written
    /// @param operation `add`, `cas`, ...
    /// @param type of the operands
    /// @param space of the address, or null for a generic one
    /// @param order `relaxed`, ..., or null
    /// @param scope `cta`, ..., or null
    /// @param returns whether the old value is returned (`atom`)
    record Atomic(
            GenericInstruction generic,
            String operation,
            ScalarType type,
            @Nullable String space,
            @Nullable String order,
            @Nullable String scope,
            boolean returns)
            implements TypedInstruction {}

    /// `bar`, `barrier`, `bar.warp.sync`, `barrier.cluster` (PTX ISA 9.7.13.1 to 9.7.13.3).
    ///
    /// @param generic the form as written
    /// @param level `warp`, `cta` or `cluster`
    /// @param operation `sync`, `arrive`, `wait` or `red`
    /// @param reduction `popc`, `and`, `or`, or null
    /// @param aligned whether all threads of a warp execute it together
    record Barrier(
            GenericInstruction generic,
            String level,
            String operation,
            @Nullable String reduction,
            boolean aligned)
            implements TypedInstruction {}

    /// `membar` and `fence`, proxies included (PTX ISA 9.7.13.4).
    ///
    /// @param generic the form as written
    /// @param proxy whether it orders proxies
    record Fence(GenericInstruction generic, boolean proxy) implements TypedInstruction {}

    /// `mbarrier` (PTX ISA 9.7.13.15).
    ///
    /// @param generic the form as written
    /// @param operation `init`, `arrive`, `try_wait`, ...
    /// @param parity whether it waits for a parity rather than a state
    record MemoryBarrier(GenericInstruction generic, String operation, boolean parity)
            implements TypedInstruction {}

    /// `vote`, `match`, `redux`, `activemask`, `elect` (PTX ISA 9.7.13.8 to 9.7.13.14).
    ///
    /// @param generic the form as written
    /// @param operation the opcode
    /// @param mode `ballot`, `any`, `add`, ..., or null
    record WarpOperation(GenericInstruction generic, String operation, @Nullable String mode)
            implements TypedInstruction {}

    /// `bra`, `brx.idx`, `call`, `ret`, `exit`, `trap`, `brkpt`, `nanosleep` (PTX ISA 9.7.12,
    /// 9.7.19).
    ///
    /// @param generic the form as written
    /// @param operation the opcode
    /// @param uniform `.uni`
    record Control(GenericInstruction generic, String operation, boolean uniform)
            implements TypedInstruction {}

    /// `ldmatrix`, `stmatrix`, `movmatrix` (PTX ISA 9.7.14.5.15 to 9.7.14.5.17).
    ///
    /// @param generic the form as written
    /// @param operation the opcode
    /// @param count tiles: 1, 2 or 4
    /// @param transposed `.trans`
    record MatrixMove(GenericInstruction generic, String operation, int count, boolean transposed)
            implements TypedInstruction {}

    /// `mma`, `mma.sp`, `wgmma.mma_async` and its sparse form: the model of forms reads their
    /// opcode.
    ///
    /// @param generic the form as written
    /// @param opcode the whole mnemonic
    /// @param warpgroup whether a warpgroup executes it
    /// @param sparse whether A is sparse
    record MatrixProduct(
            GenericInstruction generic, String opcode, boolean warpgroup, boolean sparse)
            implements TypedInstruction {}

    /// `wgmma.fence`, `wgmma.commit_group`, `wgmma.wait_group` (PTX ISA 9.7.15.7).
    ///
    /// @param generic the form as written
    /// @param operation `fence`, `commit_group` or `wait_group`
    record WarpgroupOrder(GenericInstruction generic, String operation)
            implements TypedInstruction {}

    /// `setmaxnreg` and `griddepcontrol` (PTX ISA 9.7.13.13, 9.7.19.5).
    ///
    /// @param generic the form as written
    /// @param operation the opcode
    /// @param action `inc`, `dec`, `launch_dependents` or `wait`
    record Resource(GenericInstruction generic, String operation, String action)
            implements TypedInstruction {}

    /// The qualifiers as written.
    default List<String> qualifiers() {
        return generic().qualifiers();
    }
}
