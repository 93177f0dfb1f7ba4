package dev.heddle.files;

import java.util.List;

/// Where a tensor lies in a `.safetensors` file.
///
/// @param begin offset of its first byte in the data, which starts after the header
/// @param end offset after its last byte
record SafetensorsEntry(String dtype, List<Integer> shape, long begin, long end) {

    SafetensorsEntry {
        shape = List.copyOf(shape);
    }

    long byteLength() {
        return end - begin;
    }
}
