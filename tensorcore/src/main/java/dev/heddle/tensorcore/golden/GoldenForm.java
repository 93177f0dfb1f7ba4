package dev.heddle.tensorcore.golden;

import dev.heddle.formats.InputException;
import dev.heddle.isa.ASource;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// The instruction that the cases behind this record executed.
///
/// @param properties the lines of the record, `key=value`, in their order
public record GoldenForm(Map<String, String> properties) implements GoldenRecord {

    /// @throws InputException if a property that every form has is missing or malformed
    public GoldenForm {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        text(properties, "opcode");
        integer(properties, "id");
        aSource(properties);
    }

    /// The number by which cases name the form.
    public int id() {
        return integer(properties, "id");
    }

    /// The exact PTX text up to the operands.
    public String opcode() {
        return text(properties, "opcode");
    }

    /// Where A comes from.
    public ASource aSource() {
        return aSource(properties);
    }

    private static ASource aSource(Map<String, String> properties) {
        String word = properties.getOrDefault("asource", "reg");
        for (ASource source : ASource.values()) {
            if (source.word().equals(word)) {
                return source;
            }
        }
        throw new InputException("asource=" + word + ": expected reg or smem");
    }

    private static String text(Map<String, String> properties, String key) {
        String value = properties.get(key);
        if (value == null) {
            throw new InputException("form without " + key);
        }
        return value;
    }

    private static int integer(Map<String, String> properties, String key) {
        String value = text(properties, key);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new InputException(key + "=" + value + ": expected an integer", e);
        }
    }
}
