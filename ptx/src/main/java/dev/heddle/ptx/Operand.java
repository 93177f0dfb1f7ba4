package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What is between the commas of an instruction (PTX ISA 6).
public sealed interface Operand {

    /// Where it begins.
    SourcePosition position();

    /// A register variable, whole or one component of it.
    ///
    /// @param name as written, `%` included
    /// @param component the part after the dot (`x`, `b0`), or null
    /// @param declaration the variable or the range that declares it, or null where nothing does
    /// @param position where it is
    record Register(
            String name,
            @Nullable String component,
            @Nullable Variable declaration,
            SourcePosition position)
            implements Operand {
        private static final String COMPONENTS = "xyzw";
        private static final String COLOURS = "rgba";

        /// Whether it is all components of a vector register at once.
        public boolean isWhole() {
            return component == null && isVector();
        }

        /// The name that all ways of writing it share: `v.r` is `v.x` (PTX ISA 6.4.3).
        public String canonicalName() {
            int colour = component == null || !isVector() ? -1 : COLOURS.indexOf(component);
            return colour < 0 ? toString() : name + "." + COMPONENTS.charAt(colour);
        }

        private boolean isVector() {
            return declaration != null && declaration.vector() > 1;
        }

        /// The components of a vector register, `x` first.
        public List<Operand> components() {
            int width = declaration == null ? 1 : declaration.vector();
            return COMPONENTS
                    .chars()
                    .limit(width)
                    .mapToObj(Character::toString)
                    .<Operand>map(part -> new Register(name, part, declaration, position))
                    .toList();
        }

        @Override
        public String toString() {
            return component == null ? name : name + "." + component;
        }
    }

    /// A predefined register such as `%tid.x` (PTX ISA 10).
    ///
    /// @param name as written, `%` included, without the component
    /// @param component the part after the dot, or null
    /// @param position where it is
    record SpecialRegister(String name, @Nullable String component, SourcePosition position)
            implements Operand {
        @Override
        public String toString() {
            return component == null ? name : name + "." + component;
        }
    }

    /// A constant.
    ///
    /// @param value its value
    /// @param position where its expression begins
    record Immediate(Constant value, SourcePosition position) implements Operand {}

    /// The name of a variable, a parameter, a function or a label, with a byte offset.
    ///
    /// @param name as written
    /// @param offset bytes added to its address
    /// @param variable the variable it names, or null for functions, labels and unknown names
    /// @param position where it is
    record Symbol(String name, long offset, @Nullable Variable variable, SourcePosition position)
            implements Operand {
        @Override
        public String toString() {
            return offset == 0 ? name : name + "+" + offset;
        }
    }

    /// A memory address in brackets: `[base + offset]`.
    ///
    /// @param base a [Register], [Symbol] (whose own offset is 0), [SpecialRegister] or [Immediate]
    /// @param offset bytes added to the base
    /// @param displaced whether an offset is written, which may be 0: handles of textures take none
    /// @param unified whether `.unified` follows the bracket
    /// @param position where the bracket opens
    record Address(
            Operand base, long offset, boolean displaced, boolean unified, SourcePosition position)
            implements Operand {}

    /// An element of an array variable: `array[index + offset]`, in the units the manual leaves to
    /// the byte address (6.4.2).
    ///
    /// @param array the array
    /// @param index the register that is added, or null
    /// @param offset the constant that is added
    /// @param position where it begins
    record Element(Symbol array, @Nullable Register index, long offset, SourcePosition position)
            implements Operand {}

    /// Several things in one pair of brackets: a tensor map or texture and its coordinates.
    ///
    /// @param parts in order
    /// @param position where the bracket opens
    record AddressList(List<Operand> parts, SourcePosition position) implements Operand {
        public AddressList {
            parts = List.copyOf(parts);
        }
    }

    /// Registers, constants or sinks in braces.
    ///
    /// @param elements in order
    /// @param position where the brace opens
    record Vector(List<Operand> elements, SourcePosition position) implements Operand {
        public Vector {
            elements = List.copyOf(elements);
        }
    }

    /// The arguments or results of a call, in parentheses.
    ///
    /// @param arguments in order
    /// @param position where the parenthesis opens
    record Arguments(List<Operand> arguments, SourcePosition position) implements Operand {
        public Arguments {
            arguments = List.copyOf(arguments);
        }
    }

    /// A negated predicate, `!p`, or a negated register, `-a`.
    ///
    /// @param operator `!` or `-`
    /// @param operand what is negated
    /// @param position where the operator is
    record Negated(char operator, Operand operand, SourcePosition position) implements Operand {}

    /// Two destinations, `p|q`.
    ///
    /// @param first left of the bar
    /// @param second right of the bar
    /// @param position where the first begins
    record Pair(Operand first, Operand second, SourcePosition position) implements Operand {}

    /// The destination nobody reads, `_`.
    ///
    /// @param position where it is
    record Sink(SourcePosition position) implements Operand {}
}
