package dev.heddle.cli;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Function;

/// Switches of each kind; the result of the class as compiled is what is expected.
public final class SwitchSubject implements Function<@Nullable Object, String> {
    private sealed interface Shape permits Circle, Square {}

    private record Circle(int radius) implements Shape {}

    private record Square(int side) implements Shape {}

    @Override
    public String apply(@Nullable Object given) {
        String first =
                switch (given) {
                    case null -> "nothing";
                    case Integer number when number > 5 -> "large";
                    case Integer number -> "small " + number;
                    case String word when word.isEmpty() -> "empty";
                    case CharSequence words -> "words " + words;
                    case int[] numbers -> "numbers " + numbers.length;
                    default -> "other";
                };
        Shape shape = Objects.equals(given, 3) ? new Circle(3) : new Square(4);
        String second =
                switch (shape) {
                    case Circle(int radius) when radius > 3 -> "big circle";
                    case Circle(int radius) -> "circle " + radius;
                    case Square square -> "square " + square.side();
                };
        return first + ", " + second;
    }
}
