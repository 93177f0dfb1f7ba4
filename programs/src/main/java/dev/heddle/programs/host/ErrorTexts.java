package dev.heddle.programs.host;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/// What the codes of `cudaError_t` and `CUresult` are called, as the CUDA Toolkit 13.0 calls them.
public final class ErrorTexts {
    private static final String UNRECOGNIZED = "unrecognized error code";

    private final Map<Integer, Words> words = new TreeMap<>();

    /// What is said of one code, each at an address for C.
    ///
    /// @param name `cudaErrorInvalidValue`
    /// @param driverName `CUDA_ERROR_INVALID_VALUE`; empty where the driver has no such code
    /// @param description `invalid argument`
    public record Words(String name, String driverName, String description) {}

    /// Reads the table.
    ///
    /// @throws IOException where it is not there
    public ErrorTexts() throws IOException {
        NativeLibrary.resource("errors.txt")
                .lines()
                .forEach(
                        line -> {
                            String[] fields = line.split("\t", -1);
                            words.put(
                                    Integer.valueOf(fields[0]),
                                    new Words(fields[1], fields[2], fields[3]));
                        });
    }

    /// The words for a code.
    public Words of(int code) {
        return words.getOrDefault(code, new Words(UNRECOGNIZED, "", UNRECOGNIZED));
    }
}
