package dev.heddle.programs.device;

import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.Resources;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Attributes and properties of the device. `attributes.txt` gives the numbers and the values that
/// all devices share, `properties.txt` the fields of `cudaDeviceProp`.
public final class Attributes {
    private static final int PROPERTIES_BYTES = 1008;
    private static final int PROPERTIES_BYTES_12 = 1032;

    private final Capability capability;
    private final Map<Integer, Integer> values = new HashMap<>();
    private final Map<String, Integer> byName = new HashMap<>();
    private final List<String> fields;

    /// Of a device.
    public Attributes(Capability capability) throws IOException {
        this.capability = capability;
        Map<Integer, Integer> own = capability.attributes();
        for (String line : Resources.lines("attributes.txt")) {
            String[] words = line.split(" ", -1);
            int number = Integer.parseInt(words[0]);
            int value = own.getOrDefault(number, Integer.decode(words[2]));
            values.put(number, value);
            byName.put(words[1], value);
        }
        fields = Resources.lines("properties.txt");
    }

    /// The value of an attribute, or null where there is no such number.
    public @Nullable Integer of(int number) {
        return values.get(number);
    }

    /// Writes a `cudaDeviceProp`.
    ///
    /// @param into its address
    /// @param version of CUDA, 12 or 13, whose structure it is
    public void writeProperties(long into, int version) {
        Host.at(into, version == 12 ? PROPERTIES_BYTES_12 : PROPERTIES_BYTES).fill((byte) 0);
        byte[] name = capability.name().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < name.length; i++) {
            Host.putByte(into + i, name[i]);
        }
        long at = 256;
        for (String line : fields) {
            String[] words = line.split(" ", -1);
            if (words.length > 2 && Integer.parseInt(words[2]) != version) {
                continue;
            }
            if (words[0].equals("size")) {
                at = (at + 7) / 8 * 8;
                Host.putLong(into + at, value(words[1]));
                at += 8;
            } else {
                Host.putInt(into + at, (int) value(words[1]));
                at += 4;
            }
        }
    }

    private long value(String what) {
        if (what.equals("TotalGlobalMem")) {
            return capability.memoryBytes();
        }
        Integer value = byName.get(what);
        return value != null ? value : Long.decode(what);
    }
}
