package dev.heddle.ptx;

import java.util.Set;

/// The names of the predefined registers (PTX ISA 4.4, 10).
final class SpecialRegisters {

    private static final Set<String> NAMES =
            Set.of(
                    """
                    %tid %ntid %laneid %warpid %nwarpid %ctaid %nctaid %smid %nsmid %gridid
                    %is_explicit_cluster %clusterid %nclusterid %cluster_ctaid %cluster_nctaid
                    %cluster_ctarank %cluster_nctarank %lanemask_eq %lanemask_le %lanemask_lt
                    %lanemask_ge %lanemask_gt %clock %clock_hi %clock64 %globaltimer
                    %globaltimer_lo %globaltimer_hi %reserved_smem_offset_begin
                    %reserved_smem_offset_end %reserved_smem_offset_cap %reserved_smem_offset_0
                    %reserved_smem_offset_1 %total_smem_size %aggr_smem_size %dynamic_smem_size
                    %current_graph_exec
                    """
                            .split("\\s"));

    private SpecialRegisters() {}

    static boolean isSpecial(String name) {
        return name.charAt(0) == '%'
                && (NAMES.contains(name)
                        || isNumbered(name, "%envreg", 31)
                        || isNumbered(name, "%pm", 7));
    }

    /// `prefix` and a number up to `last`; `%pm0_64` and kin too.
    private static boolean isNumbered(String name, String prefix, int last) {
        if (!name.startsWith(prefix)) {
            return false;
        }
        String digits = name.substring(prefix.length());
        if (digits.endsWith("_64") && last == 7) {
            digits = digits.substring(0, digits.length() - 3);
        }
        if (digits.isEmpty() || digits.length() > 2) {
            return false;
        }
        int number = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
            number = number * 10 + (c - '0');
        }
        return number <= last;
    }
}
