package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a record says without its places: the measure of "the same module".
final class Structure {

    /// Asked anew, these take longer than all that is compared.
    private static final ClassValue<List<Method>> ACCESSORS =
            new ClassValue<>() {
                @Override
                protected List<Method> computeValue(Class<?> type) {
                    return Arrays.stream(type.getRecordComponents())
                            .map(RecordComponent::getAccessor)
                            .toList();
                }
            };

    private Structure() {}

    static @Nullable Object of(@Nullable Object value) {
        return switch (value) {
            case SourcePosition _ -> "";
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
                for (Method accessor : ACCESSORS.get(record.getClass())) {
                    parts.add(of(read(accessor, record)));
                }
                yield parts;
            }
            case null, default -> value;
        };
    }

    private static Object read(Method accessor, Record record) {
        try {
            return accessor.invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
