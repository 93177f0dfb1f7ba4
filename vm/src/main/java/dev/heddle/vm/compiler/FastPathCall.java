package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/// A load or store that [AccessFastPaths] knows.
///
/// @param method of [AccessFastPaths]
/// @param value the register loaded or stored
/// @param base the register with the address
/// @param offset added to it
/// @param site the number of the instruction
record FastPathCall(String method, Register value, Register base, long offset, int site) {
    private static final ClassDesc OWNER = ClassDesc.of("dev.heddle.vm.compiler.AccessFastPaths");
    private static final MethodTypeDesc DESCRIPTOR =
            MethodTypeDesc.of(
                    ConstantDescs.CD_boolean,
                    LoopFrame.FRAME,
                    ConstantDescs.CD_int,
                    ConstantDescs.CD_int,
                    ConstantDescs.CD_long,
                    ConstantDescs.CD_int);

    static @Nullable FastPathCall of(Step step) {
        if (!VectorVariants.available() || step.guard() != null) {
            return null;
        }
        return switch (step) {
            case Step.Load load ->
                    load.targets().size() != 1
                            ? null
                            : of(
                                    "load",
                                    load.access(),
                                    load.targets().getFirst(),
                                    load.base(),
                                    load.offset(),
                                    load.site());
            case Step.Store store ->
                    store.values().size() != 1
                            ? null
                            : of(
                                    "store",
                                    store.access(),
                                    store.values().getFirst(),
                                    store.base(),
                                    store.offset(),
                                    store.site());
            default -> null;
        };
    }

    private static @Nullable FastPathCall of(
            String verb,
            Access access,
            @Nullable Source value,
            Source base,
            long offset,
            Site site) {
        if (access.bytes() != 4
                || access.isStrong()
                || !(value instanceof Register word)
                || word.bits() != 32
                || !(base instanceof Register address)
                || address.equals(word)) {
            return null;
        }
        boolean wide = address.width() == Width.LONG;
        if (access.space() == Space.GLOBAL && wide) {
            return new FastPathCall(verb + "Global", word, address, offset, site.number());
        }
        return access.space() == Space.SHARED
                ? new FastPathCall(
                        verb + (wide ? "SharedLong" : "Shared"),
                        word,
                        address,
                        offset,
                        site.number())
                : null;
    }

    /// Calls the method; whether it did the step is on the stack afterwards.
    void emit(CodeBuilder code) {
        code.aload(0);
        code.loadConstant(32 * value.index()).loadConstant(32 * base.index());
        code.loadConstant(offset).loadConstant(site);
        code.invokestatic(OWNER, method, DESCRIPTOR);
    }
}
