package dev.heddle.isa;

import java.util.List;
import java.util.Optional;

/// An operand as written in source.
public sealed interface SourceOperand {
    /// A register, or a name that stands for one.
    ///
    /// @param name    as written
    /// @param type    its declared type, where the declaration is known
    /// @param negated whether a `!` is before it
    record Register(String name, Optional<RegisterType> type, boolean negated)
            implements SourceOperand {
        @Override
        public String toString() {
            return (negated ? "!" : "") + name;
        }
    }

    /// An integer constant.
    record IntegerConstant(long value) implements SourceOperand {
        @Override
        public String toString() {
            return String.valueOf(value);
        }
    }

    /// A floating-point constant, as written.
    record FloatConstant(String text) implements SourceOperand {
        @Override
        public String toString() {
            return text;
        }
    }

    /// A vector in braces.
    record Vector(List<SourceOperand> elements) implements SourceOperand {
        public Vector {
            elements = List.copyOf(elements);
        }

        @Override
        public String toString() {
            return "{" + String.join(", ", elements.stream().map(Object::toString).toList()) + "}";
        }
    }

    /// `_`, which drops what would be written to a register.
    record Sink() implements SourceOperand {
        @Override
        public String toString() {
            return "_";
        }
    }

    /// Anything else, such as an address.
    record Other(String text) implements SourceOperand {
        @Override
        public String toString() {
            return text;
        }
    }
}
