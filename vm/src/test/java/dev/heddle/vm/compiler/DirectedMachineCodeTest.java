package dev.heddle.vm.compiler;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Machine code of what does not round to the nearest, and of conversions from and to 64 bits,
/// beside the interpreter, bit by bit: Java has no part in it.
@DisplayName("Machine code rounds as the interpreter does")
final class DirectedMachineCodeTest {
    private static final String[] ROUNDINGS = {"rz", "rm", "rp"};

    /// @param text with a place for the rounding
    private static void agree(String text, String... roundings) {
        for (String rounding : roundings) {
            for (String guard : new String[] {"", "@%p1 "}) {
                String all = text.replace("RND", rounding);
                int last = all.lastIndexOf(';') + 1;
                String guarded = all.substring(0, last) + guard + all.substring(last).trim() + ";";
                MachineCodeTest.agree(guarded, true);
                MachineCodeTest.agree(guarded, true, DoubleMachineCodeTest::inputs);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add.RND.f32 %f9, %f2, %f3",
                "sub.RND.f32 %f9, %f2, %f3",
                "sub.RND.f32 %f9, %f2, %f2",
                "mul.RND.f32 %f9, %f2, %f3",
                "div.RND.f32 %f9, %f2, %f3",
                "fma.RND.f32 %f9, %f2, %f3, %f4",
                "fma.RND.f32 %f9, %f9, %f3, %f9",
                "neg.f32 %f5, %f2; fma.RND.f32 %f9, %f2, 0f3f800000, %f5",
                "sqrt.RND.f32 %f9, %f2",
                "rcp.RND.f32 %f9, %f2",
                "add.RND.ftz.sat.f32 %f9, %f2, %f3",
                "mul.RND.ftz.f32 %f9, %f2, %f3",
                "div.RND.ftz.f32 %f9, %f2, %f3",
                "fma.RND.ftz.f32 %f9, %f2, %f3, %f4",
                "mul.rn.f32 %f5, %f2, 0f20000000; mul.RND.ftz.f32 %f9, %f5, 0f1f7fffff",
                "add.RND.f64 %d9, %d2, %d3",
                "sub.RND.f64 %d9, %d2, %d3",
                "sub.RND.f64 %d9, %d2, %d2",
                "mul.RND.f64 %d9, %d2, %d3",
                "div.RND.f64 %d9, %d2, %d3",
                "fma.RND.f64 %d9, %d2, %d3, %d4",
                "sqrt.RND.f64 %d9, %d2",
                "cvt.RND.f32.s32 %f9, %r2",
                "cvt.RND.f32.u32 %f9, %r2",
                "cvt.RND.f32.f64 %f9, %d2",
                "cvt.RND.ftz.f32.f64 %f9, %d2",
                "cvt.RND.f32.s64 %f9, %rd6",
                "cvt.RND.f32.u64 %f9, %rd6",
                "cvt.RND.f64.s64 %d9, %rd6",
                "cvt.RND.f64.u64 %d9, %rd6",
                "mov.b64 %rd10, 0; cvt.RND.f64.s64 %d9, %rd10",
                "mov.b64 %rd10, 0; cvt.RND.f32.u64 %f9, %rd10",
                "cvt.RND.bf16.f32 %h1, %f2; cvt.u32.u16 %r9, %h1",
                "cvt.RND.bf16.s32 %h1, %r2; cvt.u32.u16 %r9, %h1",
                "cvt.RND.bf16.u32 %h1, %r2; cvt.u32.u16 %r9, %h1"
            })
    @DisplayName("toward zero, down and up")
    void directed(String text) {
        agree(text, ROUNDINGS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cvt.RND.f16.f64 %h1, %d2",
                "cvt.RND.bf16.f64 %h1, %d2",
                "cvt.RND.f16.s64 %h1, %rd6",
                "cvt.RND.f16.u64 %h1, %rd6",
                "cvt.RND.bf16.s64 %h1, %rd6",
                "cvt.RND.bf16.u64 %h1, %rd6",
                "mul.rn.f64 %d5, %d2, 0d3800000000000000; cvt.RND.bf16.f64 %h1, %d5"
            })
    @DisplayName("of 64 bits to halves")
    void halves(String text) {
        for (String rounding : new String[] {"rn", "rz", "rm", "rp"}) {
            agree(text + "; cvt.u32.u16 %r9, %h1", rounding);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"f32 %T, %f2", "f64 %T, %d2"})
    @DisplayName("to integers of 64 bits and of fewer")
    void integers(String text) {
        for (String type : new String[] {"s64", "u64"}) {
            agree("cvt.RND." + type + "." + text.replace("%T", "%rd9"), "rni", "rzi", "rmi", "rpi");
        }
        for (String type : new String[] {"s16", "u16"}) {
            agree(
                    "cvt.RND.%s.%s; cvt.u32.u16 %%r9, %%h1"
                            .formatted(type, text.replace("%T", "%h1")),
                    "rni",
                    "rzi");
        }
        for (String type : new String[] {"s8", "u8"}) {
            agree("cvt.RND." + type + "." + text.replace("%T", "%r9"), "rni", "rzi");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cvt.rn.ftz.f32.f64 %f9, %d2", "sat.f64"})
    @DisplayName("what flushes and saturates")
    void others(String text) {
        agree(text.equals("sat.f64") ? "cvt.sat.f64.f64 %d9, %d2" : text, "rn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"})
    @DisplayName("testp, copysign and xorsign")
    void classes(String name) {
        agree("testp.%s.f32 %%p2, %%f2".formatted(name), "");
        agree("testp.%s.f64 %%p2, %%d2".formatted(name), "");
        agree("copysign.f32 %f9, %f2, %f3", "");
        agree("min.xorsign.abs.f32 %f9, %f2, %f3", "");
    }
}
