package dev.heddle.conformance.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Writes the text of a random kernel.
final class KernelWriter {
    private static final int WORDS = 10;
    private static final int LONGS = 8;
    private static final int HALVES = 4;
    private static final int PREDICATES = 4;
    private static final int DEEPEST = 2;

    /// The line before a kernel's own statements.
    static final String LAST_OF_PROLOGUE = start(PREDICATES - 1);
    private static final Pattern MARK = Pattern.compile("\\$(?:[A-Zwxlhp]|i(\\d+))");

    private final RandomGenerator random;
    private final boolean everyResult;
    private final StringBuilder text = new StringBuilder();
    private final List<String> slots = new ArrayList<>();
    private int labels;

    KernelWriter(RandomGenerator random, boolean everyResult) {
        this.random = random;
        this.everyResult = everyResult;
    }

    List<String> slots() {
        return List.copyOf(slots);
    }

    String write() {
        boolean branches = random.nextInt(4) != 0;
        int statements = 8 + random.nextInt(40);
        for (int i = 0; i < statements; i++) {
            statement(0, branches);
        }
        for (int i = 0; i < WORDS; i++) {
            store("%r" + i, "the last %r" + i);
        }
        for (int i = 0; i < LONGS; i++) {
            store("%d" + i, "the last %d" + i);
        }
        for (int i = 0; i < HALVES; i++) {
            store("%h" + i, "the last %h" + i);
        }
        for (int i = 0; i < PREDICATES; i++) {
            store("%p" + i, "the last %p" + i);
        }
        return prologue() + text + "    ret;\n}\n";
    }

    private void statement(int depth, boolean branches) {
        int kind = random.nextInt(20);
        if (branches && depth < DEEPEST && kind < 3) {
            divide(depth);
        } else if (branches && depth < DEEPEST && kind == 3) {
            loop(depth);
        } else if (depth == 0 && kind < 7) {
            instruction(Instructions.warp(random), false);
        } else {
            instruction(Instructions.scalar(random), true);
        }
    }

    private void statements(int depth) {
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            statement(depth, true);
        }
    }

    private void divide(int depth) {
        int label = labels++;
        line("@%s%s bra ELSE%d;".formatted(random.nextBoolean() ? "" : "!", predicate(), label));
        statements(depth + 1);
        line("bra END%d;".formatted(label));
        text.append("ELSE").append(label).append(":\n");
        if (random.nextBoolean()) {
            statements(depth + 1);
        }
        text.append("END").append(label).append(":\n");
    }

    private void loop(int depth) {
        int label = labels++;
        line("and.b32 %%n%d, %s, 3;".formatted(depth, word()));
        text.append("LOOP").append(label).append(":\n");
        line("setp.eq.u32 %%q, %%n%d, 0;".formatted(depth));
        line("@%%q bra END%d;".formatted(label));
        statements(depth + 1);
        line("sub.u32 %%n%d, %%n%d, 1;".formatted(depth, depth));
        line("bra LOOP%d;".formatted(label));
        text.append("END").append(label).append(":\n");
    }

    // Instructions.

    private void instruction(String pattern, boolean mayBeGuarded) {
        List<String> targets = new ArrayList<>();
        String filled = fill(pattern, targets);
        boolean single = filled.indexOf(';') == filled.length() - 1;
        String guard =
                mayBeGuarded
                                && single
                                && !Instructions.losesItsGuard(pattern)
                                && random.nextInt(6) == 0
                        ? "@%s%s ".formatted(random.nextBoolean() ? "" : "!", predicate())
                        : "";
        for (String part : filled.split(";")) {
            line(guard + part.strip() + ";");
        }
        if (everyResult) {
            for (String target : targets) {
                store(target, guard + filled);
            }
        }
    }

    private String fill(String pattern, List<String> targets) {
        String word = target("$W", pattern, "%r", random.nextInt(WORDS), targets);
        int other = (Integer.parseInt(word.substring(2)) + 1 + random.nextInt(WORDS - 1)) % WORDS;
        String second = target("$V", pattern, "%r", other, targets);
        String wide = target("$L", pattern, "%d", random.nextInt(LONGS), targets);
        String half = target("$H", pattern, "%h", random.nextInt(HALVES), targets);
        String flag = target("$P", pattern, "%p", random.nextInt(PREDICATES), targets);
        StringBuilder filled = new StringBuilder();
        Matcher marks = MARK.matcher(pattern);
        while (marks.find()) {
            marks.appendReplacement(
                    filled,
                    switch (marks.group().charAt(1)) {
                        case 'W' -> word;
                        case 'V' -> second;
                        case 'L' -> wide;
                        case 'H' -> half;
                        case 'P' -> flag;
                        case 'w' -> word();
                        case 'l' -> "%d" + random.nextInt(LONGS);
                        case 'h' -> "%h" + random.nextInt(HALVES);
                        case 'p' -> predicate();
                        case 'x' -> random.nextInt(3) == 0 ? constant() : word();
                        default ->
                                Integer.toString(
                                        random.nextInt(Integer.parseInt(marks.group(1)) + 1));
                    });
        }
        marks.appendTail(filled);
        return filled.toString();
    }

    private static String target(
            String mark, String pattern, String file, int number, List<String> targets) {
        String register = file + number;
        if (pattern.contains(mark)) {
            targets.add(register);
        }
        return register;
    }

    private String word() {
        return "%r" + random.nextInt(WORDS);
    }

    private String predicate() {
        return "%p" + random.nextInt(PREDICATES);
    }

    private String constant() {
        return switch (random.nextInt(3)) {
            case 0 -> Integer.toString(random.nextInt(33));
            case 1 -> Integer.toString(-1 - random.nextInt(100));
            default -> "0x%x".formatted(random.nextInt());
        };
    }

    private void store(String register, String what) {
        int at = 8 * slots.size();
        slots.add(what);
        switch (register.charAt(1)) {
            case 'r' -> line("st.global.b32 [%%out+%d], %s;".formatted(at, register));
            case 'd' -> line("st.global.b64 [%%out+%d], %s;".formatted(at, register));
            case 'h' -> line("st.global.b16 [%%out+%d], %s;".formatted(at, register));
            default -> {
                line("selp.b32 %%t, 1, 0, %s;".formatted(register));
                line("st.global.b32 [%%out+%d], %%t;".formatted(at));
            }
        }
    }

    private void line(String instruction) {
        text.append("    ").append(instruction).append('\n');
    }

    private String prologue() {
        StringBuilder head =
                new StringBuilder(
                        """
                        .version 8.0
                        .target sm_90
                        .address_size 64

                        .const .align 4 .b32 table[16] = {1, 2, 4, 0x80000000, 0xffffffff, 0x3f800000, 7, 31,
                            0x7fc00000, 0x12345678, 0xff, 0x80, 0x7f7fffff, 3, 0x55555555, 0};

                        .func (.param .b32 result) mix(.param .b32 first, .param .b32 second)
                        {
                            .reg .b32 %a, %b;
                            .reg .pred %less;
                            ld.param.b32 %a, [first];
                            ld.param.b32 %b, [second];
                            setp.lt.s32 %less, %a, %b;
                            @%less bra DONE;
                            mad.lo.u32 %a, %a, 1664525, %b;
                        DONE:
                            xor.b32 %a, %a, 0x5bd1e995;
                            st.param.b32 [result], %a;
                            ret;
                        }

                        .visible .entry random(.param .u64 in, .param .u64 out)
                        {
                            .reg .b32 %r<10>, %n<2>, %t, %v, %tx, %s, %sb, %g;
                            .reg .b64 %d<8>, %u, %y, %in, %out;
                            .reg .b16 %h<4>;
                            .reg .pred %p<4>, %q;
                            .shared .align 16 .b32 exchange[64];
                            .local .align 16 .b8 local[16];
                            mov.u32 %tx, %tid.x;
                            mov.u32 %g, %ctaid.x;
                            mad.lo.u32 %g, %g, 64, %tx;
                            mov.u32 %sb, exchange;
                            shl.b32 %s, %tx, 2;
                            add.u32 %s, %s, %sb;
                            ld.param.u64 %in, [in];
                            ld.param.u64 %out, [out];
                            cvta.to.global.u64 %in, %in;
                            cvta.to.global.u64 %out, %out;
                            mul.wide.u32 %u, %g, 112;
                            add.u64 %in, %in, %u;
                        """);
        head.append("    mul.wide.u32 %%u, %%g, %d;\n".formatted(8 * slots.size()));
        head.append("    add.u64 %out, %out, %u;\n    mov.b64 %u, 0;\n");
        head.append("    st.local.b64 [local], %u;\n    st.local.b64 [local+8], %u;\n");
        for (int i = 0; i < LONGS; i++) {
            head.append("    ld.global.b64 %%d%d, [%%in+%d];\n".formatted(i, 8 * i));
        }
        for (int i = 0; i < WORDS; i++) {
            head.append("    ld.global.b32 %%r%d, [%%in+%d];\n".formatted(i, 64 + 4 * i));
        }
        for (int i = 0; i < HALVES; i++) {
            head.append("    ld.global.b16 %%h%d, [%%in+%d];\n".formatted(i, 104 + 2 * i));
        }
        for (int i = 0; i < PREDICATES; i++) {
            head.append("    ").append(start(i)).append('\n');
        }
        return head.toString();
    }

    private static String start(int predicate) {
        return "setp.lt.s32 %%p%d, %%r%d, %%r%d;".formatted(predicate, predicate, predicate + 1);
    }
}
