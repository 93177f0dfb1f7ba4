package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

/// The pages of global memory that a warp met last: mostly the ones that it meets again.
final class RecentPages {
    private static final int MOST = 16;

    private final GlobalShadow shadow;
    private final long[] numbers = new long[MOST];
    private final @Nullable ShadowPage[] pages = new ShadowPage[MOST];

    RecentPages(GlobalShadow shadow) {
        this.shadow = shadow;
    }

    /// The page of an offset.
    ShadowPage page(long offset) {
        long number = offset >>> ShadowPage.BITS;
        int place = (int) number & MOST - 1;
        ShadowPage page = pages[place];
        if (page == null || numbers[place] != number) {
            page = shadow.page(offset);
            numbers[place] = number;
            pages[place] = shadow.keeps(offset) ? page : null;
        }
        return page;
    }
}
