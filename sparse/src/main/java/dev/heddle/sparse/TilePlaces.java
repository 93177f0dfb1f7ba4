package dev.heddle.sparse;

/// What is in each place of a tile, or of several tiles side by side.
///
/// @param rows    the row of each place
/// @param columns the column of each place
/// @param tiles   how many tiles are side by side
@SuppressWarnings("ArrayRecordComponent") // never compared
record TilePlaces(int[] rows, int[] columns, int tiles) {
    /// How many places there are.
    int count() {
        return rows.length;
    }

    /// How many neighbours in memory are neighbours in a row too, everywhere: 1, 2, 4, …
    ///
    /// @param most a power of two
    int run(int most) {
        int run = most;
        while (run > 1 && !consecutive(run)) {
            run /= 2;
        }
        return run;
    }

    private boolean consecutive(int run) {
        if (count() % run != 0) {
            return false;
        }
        for (int place = 0; place < count(); place++) {
            int first = place & -run;
            if (rows[place] != rows[first] || columns[place] != columns[first] + place - first) {
                return false;
            }
        }
        return true;
    }

    /// Of the first place of each run, the entry there as `row * stride + column`.
    int[] entries(int stride, int run) {
        int[] entries = new int[count() / run];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = rows[i * run] * stride + columns[i * run];
        }
        return entries;
    }
}
