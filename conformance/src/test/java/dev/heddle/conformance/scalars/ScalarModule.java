package dev.heddle.conformance.scalars;

import java.util.List;

/// A PTX module with a kernel for each of some forms.
///
/// Kernel `f<i>` takes the address of the operands and that of the results. Thread t reads word t
/// of each source and writes word t of each destination; the words of one place are together, in 64
/// bits each. Of narrower ones only the low bits are read and written, the others begin as zero.
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
                .reg .b64 %%in, %%out, %%x;
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
                mad.wide.u32 %in, %i, 8, %in;
                mad.wide.u32 %out, %i, 8, %out;
                """);
        for (int i = 0; i < form.sources().length(); i++) {
            String load =
                    switch (form.sources().charAt(i)) {
                        case 'w' -> "ld.global.b32 %%s%d, [%%in+%d];\n";
                        case 'h' -> "ld.global.b16 %%s%d, [%%in+%d];\n";
                        case 'l' -> "ld.global.b64 %%s%d, [%%in+%d];\n";
                        default ->
                                "ld.global.b64 %%x, [%%in+%2$d];\nsetp.ne.u64 %%s%1$d, %%x, 0;\n";
                    };
            text.append(load.formatted(i, 8L * cases * i));
        }
        text.append(form.instruction()).append('\n');
        for (int i = 0; i < form.destinations().length(); i++) {
            String store =
                    switch (form.destinations().charAt(i)) {
                        case 'W' -> "st.global.b32 [%%out+%2$d], %%d%1$d;\n";
                        case 'H' -> "st.global.b16 [%%out+%2$d], %%d%1$d;\n";
                        case 'L' -> "st.global.b64 [%%out+%2$d], %%d%1$d;\n";
                        default ->
                                "selp.b64 %%x, 1, 0, %%d%1$d;\nst.global.b64 [%%out+%2$d], %%x;\n";
                    };
            text.append(store.formatted(i, 8L * cases * i));
        }
        text.append("ret;\n}\n");
    }
}
