package dev.heddle.isa.rule;

import java.util.Locale;
import java.util.regex.Pattern;

/// A few lines that break a rule, or keep it: of PTX, or of the program that launches.
///
/// @param extent how much of a module the lines are
/// @param target what `.target` says, where the lines do not say it
/// @param threads of a CTA
/// @param ctas of the one cluster that runs it
/// @param lines the PTX; `(65 times ".sat")` stands for as many of it
public record Example(Extent extent, String target, int threads, int ctas, String lines) {
    private static final String TARGET = "sm_90a";
    private static final int WARP = 32;

    /// What is around the lines of a body.
    private static final String FRAME =
            """
            .visible .entry kernel(
                .param .u64 out, .param .u64 in, .param .align 64 .b8 map[128], .param .u64 surface)
            {
                .reg .pred %p<4>;
                .reg .b16 %h<4>;
                .reg .b32 %r<32>;
                .reg .b64 %rd<8>;
                .reg .f32 %f<9>;
                .shared .align 128 .b8 s[1024];
                ld.param.u64 %rd1, [out];
                ld.param.u64 %rd2, [in];
                mov.u32 %r1, %tid.x;
                mad.wide.u32 %rd3, %r1, 4, %rd1;
                mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;
                mov.b32 %r14, 0; mov.b32 %r15, 0; mov.b32 %r16, 0; mov.b32 %r17, 0;
                mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000;
                mov.f32 %f3, 0f00000000; mov.f32 %f4, 0f00000000;
                mov.f32 %f5, 0f00000000; mov.f32 %f6, 0f00000000;
                mov.f32 %f7, 0f00000000; mov.f32 %f8, 0f00000000;
            LINES
                ret;
            }
            """;

    private static final Pattern REPEATED = Pattern.compile("\\((\\d+) times \"([^\"]*)\"\\)");

    /// How much of a module an example is.
    public enum Extent {
        /// All of it.
        FILE,
        /// All behind the header.
        MODULE,
        /// Statements of a kernel, with what [#frame()] declares.
        BODY,
        /// Calls of a program in CUDA C++: no PTX.
        HOST
    }

    /// The kernel around the lines of a body: they stand for `LINES`. `%rd1` is the address of 4096
    /// bytes to write, `%rd2` of 4096 bytes of zeros to read, `%rd3` of the thread's own word
    /// among those to write, `%r1` the thread's number, `s` 1024 bytes of shared memory, `map` a
    /// tensor map of 8 by 8 by 1 floats at a time over the bytes to read, `surface` a handle of a
    /// surface of 256 words over them.
    public static String frame() {
        return FRAME;
    }

    /// What differs from the usual: `, for sm_120a, run by 64 threads`.
    public String circumstances() {
        if (extent == Extent.HOST) {
            return ", in a program";
        }
        String where = extent == Extent.FILE || target.equals(TARGET) ? "" : ", for " + target;
        String block = threads == 1 ? "1 thread" : threads + " threads";
        return where
                + (threads == WARP && ctas == 1 ? "" : ", run by " + block)
                + (ctas == 1 ? "" : " in each of the " + ctas + " CTAs of a cluster");
    }

    /// The whole module, or the calls of a program.
    public String module() {
        String header =
                """
                .version 9.0
                .target %s
                .address_size 64
                """
                        .formatted(target);
        String written =
                REPEATED.matcher(lines)
                        .replaceAll(it -> it.group(2).repeat(Integer.parseInt(it.group(1))));
        return switch (extent) {
            case FILE, HOST -> written;
            case MODULE -> header + written;
            case BODY -> header + FRAME.replace("LINES\n", written.indent(4));
        };
    }

    /// The example of a heading such as `wrong (module, block 64):` and the lines below it.
    static Example parse(String heading, String lines) {
        Extent extent = Extent.BODY;
        String target = TARGET;
        int threads = WARP;
        int ctas = 1;
        int open = heading.indexOf('(');
        String options = open < 0 ? "" : heading.substring(open + 1, heading.indexOf(')'));
        for (String option : options.split(",")) {
            String[] words = option.strip().split(" ");
            switch (words[0]) {
                case "" -> {}
                case "block" -> threads = Integer.parseInt(words[1]);
                case "ctas" -> ctas = Integer.parseInt(words[1]);
                case "target" -> target = words[1];
                default -> extent = Extent.valueOf(words[0].toUpperCase(Locale.ROOT));
            }
        }
        return new Example(
                extent, target, threads, ctas, lines.stripTrailing().stripIndent() + "\n");
    }
}
