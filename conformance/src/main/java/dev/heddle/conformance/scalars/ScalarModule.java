package dev.heddle.conformance.scalars;

import java.util.List;

/// A PTX module with a kernel for each of some forms.
///
/// Kernel `f<i>` takes the address of the operands and that of the results. Thread t reads word t
/// of each source and writes word t of each destination; the words of one place stand together, in
/// 64 bits each.
final class ScalarModule {
    /// Threads of a CTA.
    static final int BLOCK = 128;

    private ScalarModule() {}

    /// @param cases how many threads run each form
    static String text(List<ScalarForm> forms, int cases) {
        StringBuilder text = new StringBuilder(".version 8.6\n.target sm_90a\n.address_size 64\n");
        for (int i = 0; i < forms.size(); i++) {
            kernel(text, "f" + i, forms.get(i), cases);
        }
        return text.toString();
    }

    private static void kernel(StringBuilder text, String name, ScalarForm form, int cases) {
        text.append(
                """
                .visible .entry %s(.param .u64 in, .param .u64 out)
                {
                .reg .b64 %%in, %%out, %%at, %%x;
                .reg .b32 %%i, %%n;
                """
                        .formatted(name));
        text.append(form.declarations());
        text.append(
                """
                ld.param.u64 %in, [in];
                ld.param.u64 %out, [out];
                mov.u32 %i, %ctaid.x;
                mov.u32 %n, %ntid.x;
                mov.u32 %t, %tid.x;
                mad.lo.u32 %i, %i, %n, %t;
                mul.wide.u32 %at, %i, 8;
                add.u64 %in, %in, %at;
                add.u64 %out, %out, %at;
                """);
        for (int i = 0; i < form.sources().length(); i++) {
            text.append("ld.global.b64 %%x, [%%in+%d];\n".formatted(8L * cases * i));
            String load =
                    switch (form.sources().charAt(i)) {
                        case 'w' -> "cvt.u32.u64 %%s%d, %%x;\n";
                        case 'h' -> "cvt.u16.u64 %%s%d, %%x;\n";
                        case 'l' -> "mov.b64 %%s%d, %%x;\n";
                        default -> "setp.ne.u64 %%s%d, %%x, 0;\n";
                    };
            text.append(load.formatted(i));
        }
        text.append(form.instruction()).append('\n');
        for (int i = 0; i < form.destinations().length(); i++) {
            String widen =
                    switch (form.destinations().charAt(i)) {
                        case 'W' -> "cvt.u64.u32 %%x, %%d%d;\n";
                        case 'H' -> "cvt.u64.u16 %%x, %%d%d;\n";
                        case 'L' -> "mov.b64 %%x, %%d%d;\n";
                        default -> "selp.b64 %%x, 1, 0, %%d%d;\n";
                    };
            text.append(widen.formatted(i));
            text.append("st.global.b64 [%%out+%d], %%x;\n".formatted(8L * cases * i));
        }
        text.append("ret;\n}\n");
    }
}
