package dev.heddle.tensorcore.functions;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The coefficient rows of one core: c0, c1 and c2 of each, three numbers a row.
///
/// All rows are in `coefficients.csv`, as the measurement gave them: 627 rows, in each of which
/// exactly one triple of integers reproduces the device.
final class Coefficients {
    private static final Map<String, int[][]> ALL = read();

    private Coefficients() {}

    /// The rows of a core, in order.
    ///
    /// @param core the name in the first column: `rcp rsq sqrt ex2 lg2 sin tanh`
    static int[][] of(String core) {
        return Objects.requireNonNull(ALL.get(core), core);
    }

    private static Map<String, int[][]> read() {
        Map<String, List<int[]>> rows = new HashMap<>();
        try (InputStream in = Coefficients.class.getResourceAsStream("coefficients.csv");
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        Objects.requireNonNull(in), StandardCharsets.US_ASCII))) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int core = line.indexOf(',');
                int row = line.indexOf(',', core + 1);
                int c1 = line.indexOf(',', row + 1);
                int c2 = line.indexOf(',', c1 + 1);
                rows.computeIfAbsent(line.substring(0, core), key -> new ArrayList<>())
                        .add(
                                new int[] {
                                    Integer.parseInt(line, row + 1, c1, 10),
                                    Integer.parseInt(line, c1 + 1, c2, 10),
                                    Integer.parseInt(line, c2 + 1, line.length(), 10)
                                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, int[][]> all = new HashMap<>();
        rows.forEach((core, list) -> all.put(core, list.toArray(int[][]::new)));
        return all;
    }
}
