package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.state.Cta;

/// What lanes of a warp store, or reduce, by one `st.async` or `red.async`, where one mbarrier
/// counts the bytes of all.
///
/// @param lanes at least one
/// @param bytes of each lane
/// @param owner the CTA that has the memory, and the mbarrier
/// @param object where the mbarrier is
public record AsideLanes(Site site, int warp, int lanes, int bytes, Cta owner, long object) {
    /// Whether an instruction is `st.async` or `red.async`.
    public static boolean areOf(Site site) {
        return site.kind() == InstructionKind.ASYNC_STORE
                || site.kind() == InstructionKind.ASYNC_REDUCE;
    }

    boolean reduces() {
        return site.kind() == InstructionKind.ASYNC_REDUCE;
    }

    int first() {
        return Integer.numberOfTrailingZeros(lanes);
    }

    int last() {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(lanes);
    }

    int thread(int lane) {
        return 32 * warp + lane;
    }
}
