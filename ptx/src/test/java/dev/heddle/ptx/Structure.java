package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

/// What a record says without its places: the measure of "the same module".
final class Structure {

    private Structure() {}

    static @Nullable Object of(@Nullable Object value) {
        return switch (value) {
            case Position _ -> "";
            case List<?> list -> {
                List<@Nullable Object> parts = new ArrayList<>();
                for (Object part : list) {
                    parts.add(of(part));
                }
                yield parts;
            }
            case Record record -> {
                List<@Nullable Object> parts = new ArrayList<>();
                parts.add(record.getClass().getSimpleName());
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    parts.add(of(read(component, record)));
                }
                yield parts;
            }
            case null, default -> value;
        };
    }

    private static Object read(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
