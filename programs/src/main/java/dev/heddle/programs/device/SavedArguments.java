package dev.heddle.programs.device;

import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorSwizzle;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Arguments as a launch file spells them: bytes, and in place of each address the name of its
/// buffer. What looks like an address is one: a word that is the place of a live buffer.
final class SavedArguments {
    private final GlobalMemory memory;
    private final Map<Buffer, String> names = new LinkedHashMap<>();

    SavedArguments(GlobalMemory memory) {
        this.memory = memory;
    }

    /// The buffers whose addresses were met, with their names.
    Map<Buffer, String> buffers() {
        return names;
    }

    /// One argument.
    Map<String, Object> argument(byte[] bytes) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Map<String, Object> places = new LinkedHashMap<>();
        int at = 0;
        while (at + Long.BYTES <= bytes.length) {
            Map<String, Object> map = at % 64 == 0 ? tensorMap(segment, at) : null;
            if (map != null) {
                places.put(Integer.toString(at), map);
                at += TensorMap.BYTES;
                continue;
            }
            String place = place(segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
            if (place != null) {
                places.put(Integer.toString(at), place);
            }
            at += Long.BYTES;
        }
        Map<String, Object> argument = new LinkedHashMap<>();
        argument.put("bytes", HexFormat.of().formatHex(bytes));
        if (!places.isEmpty()) {
            argument.put("at", places);
        }
        return argument;
    }

    /// A buffer and the offset in it, or null where an address is none of a buffer's. An address
    /// right behind a buffer is taken for its end.
    private @Nullable String place(long address) {
        Buffer buffer = memory.at(address);
        if (buffer == null) {
            Buffer before = memory.at(address - 1);
            buffer = before != null && before.end() == address ? before : null;
        }
        if (buffer == null || memory.modules().hold(buffer.address())) {
            return null;
        }
        String name = names.computeIfAbsent(buffer, this::name);
        long offset = address - buffer.address();
        return offset == 0 ? name : name + "+" + offset;
    }

    /// `cudaMalloc_3` of `cudaMalloc #3`; a number behind it where there are several.
    private String name(Buffer buffer) {
        String plain = buffer.name().replaceAll("[^A-Za-z0-9]+", "_");
        String name = plain;
        for (int i = 2; names.containsValue(name); i++) {
            name = plain + "_" + i;
        }
        return name;
    }

    /// Whether a buffer holds addresses of buffers, which a launch file cannot say.
    boolean holdsAddresses(byte[] contents) {
        MemorySegment segment = MemorySegment.ofArray(contents);
        for (long at = 0; at + Long.BYTES <= contents.length; at += Long.BYTES) {
            long word = segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            if (word >>> 36 == 1 && memory.at(word) != null) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Map<String, Object> tensorMap(MemorySegment segment, int at) {
        if (at + TensorMap.BYTES > segment.byteSize()) {
            return null;
        }
        TensorMap map;
        try {
            map = TensorMap.decode(segment, at);
        } catch (IllegalArgumentException | UnsupportedOperationException _) {
            return null;
        }
        String base = place(map.address());
        String format = format(map.element());
        if (base == null || format == null || map.swizzle() == TensorSwizzle.BYTES_96) {
            return null;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("tensorMap", base);
        fields.put("format", format);
        fields.put("shape", list(map.shape()));
        fields.put("strides", list(map.strides()));
        if (map.columns()) {
            fields.put("columns", columns(map));
        } else {
            fields.put("box", list(map.box(), map.rank()));
        }
        fields.put("elementStrides", list(map.steps(), map.rank()));
        fields.put("swizzle", bytes(map.swizzle().span()));
        String atomicity = atomicity(map.swizzle());
        if (atomicity != null) {
            fields.put("atomicity", atomicity);
        }
        fields.put("interleave", bytes(map.interleave()));
        fields.put("fill", map.nanFill() ? "nan" : "zero");
        if (map.element() == TensorMap.Element.B4X16_P64) {
            fields.put("padded", true);
        }
        return fields;
    }

    private static Map<String, Object> columns(TensorMap map) {
        Map<String, Object> columns = new LinkedHashMap<>();
        int corners = map.mode() == TensorMap.Mode.IM2COL ? map.rank() - 2 : 1;
        columns.put("lower", list(map.lower(), corners));
        columns.put("upper", list(map.upper(), corners));
        columns.put("channels", map.box()[0]);
        switch (map.mode()) {
            case TILE, IM2COL -> columns.put("pixels", map.box()[1]);
            case IM2COL_W -> {
                columns.put("mode", "im2col::w");
                columns.put("pixels", map.box()[1]);
            }
            case IM2COL_W_128 -> columns.put("mode", "im2col::w::128");
        }
        return columns;
    }

    /// What a launch file calls it; null for 16 bytes.
    private static @Nullable String atomicity(TensorSwizzle swizzle) {
        return switch (swizzle) {
            case NONE, BYTES_32, BYTES_64, BYTES_96, BYTES_128 -> null;
            case BYTES_128_ATOM_32 -> "32";
            case BYTES_128_ATOM_32_FLIP_8 -> "32-flip-8";
            case BYTES_128_ATOM_64 -> "64";
        };
    }

    private static Object bytes(int count) {
        return count == 0 ? "none" : count;
    }

    private static List<Long> list(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    private static List<Integer> list(int[] values, int count) {
        return Arrays.stream(values).limit(count).boxed().toList();
    }

    /// The format that encodes to an element, or null where none does.
    private static @Nullable String format(TensorMap.Element element) {
        return switch (element) {
            case U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, TF32 ->
                    element.name().toLowerCase(Locale.ROOT);
            case B4X16, B4X16_P64 -> "e2m1";
            case B6X16 -> "e3m2";
            case F32_FTZ, TF32_FTZ -> null;
        };
    }
}
