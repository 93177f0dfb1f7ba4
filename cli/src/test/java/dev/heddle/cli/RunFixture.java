package dev.heddle.cli;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A folder with a module, its inputs, what is expected of it, and a launch file.
abstract class RunFixture {
    /// Twice each element of `a`, plus `x`, for the first `n`; a thread an element.
    static final String PTX =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry doubled(.param .u64 a, .param .u64 c, .param .f32 x, .param .u32 n) {
              .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .b64 %rd<8>;
              ld.param.u64 %rd1, [a];
              ld.param.u64 %rd2, [c];
              ld.param.f32 %f4, [x];
              ld.param.u32 %r1, [n];
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mov.u32 %r4, %tid.x;
              mad.lo.s32 %r5, %r2, %r3, %r4;
              setp.ge.u32 %p1, %r5, %r1;
              @%p1 bra DONE;
              mul.wide.u32 %rd3, %r5, 4;
              add.s64 %rd4, %rd1, %rd3;
              ld.global.f32 %f1, [%rd4];
              add.f32 %f2, %f1, %f1;
              add.f32 %f3, %f2, %f4;
              add.s64 %rd5, %rd2, %rd3;
              st.global.f32 [%rd5], %f3;
            DONE:
              ret;
            }
            """;

    static final int COUNT = 100;

    final Path folder;

    RunFixture(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("doubled.ptx"), PTX);
        float[] a = new float[COUNT];
        float[] c = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            a[i] = i * 0.25f;
            c[i] = i * 0.5f + 1;
        }
        tensor(a, "a.npy");
        tensor(c, "c.expected.npy");
        c[7] = Math.nextUp(c[7]);
        tensor(c, "c.near.npy");
        Files.writeString(folder.resolve("launch.json"), launch("c.expected.npy"));
    }

    /// A launch file that expects this of `c`.
    static String launch(String expected) {
        return """
        { "ptx": "doubled.ptx", "grid": [4], "block": [32],
          "args": [ {"buffer": "a", "file": "a.npy", "format": "f32"},
                    {"buffer": "c", "poison": true, "format": "f32", "shape": [10, 10]},
                    {"f32": 1}, {"u32": 100} ],
          "expect": [ {"buffer": "c", "file": "%s"} ] }
        """
                .formatted(expected);
    }

    final void tensor(float[] values, String name) throws IOException {
        Codes codes = Codes.zeros(FloatFormat.F32, values.length);
        for (int i = 0; i < values.length; i++) {
            codes.set(i, Float.floatToRawIntBits(values[i]));
        }
        TensorReference.parse(path(name)).write(new Tensor(List.of(values.length), codes));
    }

    final String path(String name) {
        return folder.resolve(name).toString();
    }

    /// Runs the kernel by options.
    final Ran run(String... more) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "run",
                                path("doubled.ptx"),
                                "--grid",
                                "4",
                                "--block",
                                "32,1,1",
                                "--arg",
                                "a=" + path("a.npy"),
                                "--arg",
                                "c=poison:f32:10x10",
                                "--arg",
                                "f32:1",
                                "--arg",
                                "u32:100"));
        words.addAll(List.of(more));
        return Ran.heddle(words.toArray(String[]::new));
    }
}
