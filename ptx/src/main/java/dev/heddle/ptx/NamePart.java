package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A part of a C++ name. What is declared by a type stands in the middle of it: each part is
/// written in two, such as `int (*` and `)(float)`.
sealed interface NamePart {
    /// Writes what stands before the name that is declared.
    void left(NameWriter out);

    /// Writes what stands behind it.
    default void right(NameWriter out) {}

    /// Words.
    record Text(String text) implements NamePart {
        /// None.
        static final Text NONE = new Text("");

        @Override
        public void left(NameWriter out) {
            out.write(text);
        }
    }

    /// A name of the source.
    record SourceName(String text) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.write(text);
        }
    }

    /// An expression that needs no brackets as an operand, as names do not.
    record Simple(NamePart part) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.whole(part);
        }
    }

    /// A function or variable.
    ///
    /// @param name without parameters
    /// @param result null where the name does not say it
    /// @param parameters null where it has none
    /// @param words behind them: `const`
    record Declared(
            NamePart name, @Nullable NamePart result, @Nullable NamePart parameters, String words)
            implements NamePart {
        /// Without the type of its result.
        Declared plain() {
            return new Declared(name, null, parameters, words);
        }

        @Override
        public void left(NameWriter out) {
            Listed arguments = argumentsOf(name);
            if (result != null) {
                out.inside(arguments, () -> out.left(result));
                out.write(" ");
            }
            out.whole(name);
            if (parameters != null) {
                out.write("(");
                out.inside(arguments, () -> out.whole(parameters));
                out.write(")" + words);
            }
            if (result != null) {
                out.inside(arguments, () -> out.right(result));
            }
        }
    }

    /// What the parameters of a template stand for in the type of a function.
    static @Nullable Listed argumentsOf(NamePart name) {
        return switch (name) {
            case Templated(_, Listed arguments) -> arguments;
            case Scoped(_, NamePart last) -> argumentsOf(last);
            default -> null;
        };
    }

    /// A lambda. Where it is generic, its parameters have types `auto:1` and so on.
    record Lambda(NamePart parameters, long number) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.write("{lambda(");
            out.ofLambda(parameters);
            out.write(")#" + number + "}");
        }
    }

    /// A conversion; its type may be a parameter of its own template.
    record Conversion(NamePart type) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.write("operator ");
            out.whole(type);
        }
    }

    /// An operand of an expression.
    record Operand(NamePart part) implements NamePart {
        @Override
        public void left(NameWriter out) {
            boolean isSimple = isSimple(out.resolved(part).part());
            out.write(isSimple ? "" : "(");
            out.whole(part);
            out.write(isSimple ? "" : ")");
        }

        private static boolean isSimple(NamePart part) {
            return switch (part) {
                case SourceName _, Scoped _, Simple _ -> true;
                case Declared of -> of.parameters == null && isSimple(of.name);
                default -> false;
            };
        }
    }

    /// Parts, one behind the other.
    record Sequence(List<NamePart> parts) implements NamePart {
        static NamePart of(NamePart... parts) {
            return new Sequence(List.of(parts));
        }

        @Override
        public void left(NameWriter out) {
            parts.forEach(out::whole);
        }
    }

    /// `outer::name`.
    record Scoped(NamePart outer, NamePart name) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.whole(outer);
            out.write("::");
            out.whole(name);
        }
    }

    /// `name<arguments>`.
    record Templated(NamePart name, Listed arguments) implements NamePart {
        @Override
        public void left(NameWriter out) {
            boolean isConversion =
                    name instanceof Conversion
                            || name instanceof Scoped(_, NamePart last)
                                    && last instanceof Conversion;
            out.inside(isConversion ? arguments : null, () -> out.whole(name));
            out.write("<");
            out.whole(arguments);
            out.write(">");
        }
    }

    /// Parts with commas between; what is an empty pack has none.
    record Listed(List<NamePart> parts) implements NamePart {
        @Override
        public void left(NameWriter out) {
            boolean isFirst = true;
            for (NamePart part : parts) {
                int before = out.length();
                out.write(isFirst ? "" : ", ");
                int start = out.length();
                out.whole(part);
                if (out.length() == start) {
                    out.cut(before);
                } else {
                    isFirst = false;
                }
            }
        }
    }

    /// A parameter of a template: what that is depends on where it stands, as a type is written
    /// once and meant again in another function.
    record Parameter(int index) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.left(out.resolved(this));
        }

        @Override
        public void right(NameWriter out) {
            out.right(out.resolved(this));
        }
    }

    /// A pattern for each element of the pack in it.
    record Expansion(NamePart pattern) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.expand(pattern);
        }
    }

    /// How many elements a pack has.
    record Length(NamePart pack) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.write(String.valueOf(out.elements(pack)));
        }
    }

    /// A type with words behind it: `const`.
    record Qualified(NamePart type, String words) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.left(type);
            out.write(words);
        }

        @Override
        public void right(NameWriter out) {
            out.right(type);
        }
    }

    /// A pointer, or one to members of a class: in brackets where it is to a function or an array.
    record Pointer(NamePart to, NamePart mark) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.openFor(out.resolved(to));
            out.whole(mark);
        }

        @Override
        public void right(NameWriter out) {
            out.closeFor(out.resolved(to));
        }
    }

    /// A reference; one of a reference is what C++ makes of the two.
    record Reference(NamePart to, boolean isLvalue) implements NamePart {
        @Override
        public void left(NameWriter out) {
            NameWriter.Placed of = out.resolved(to);
            boolean lvalue = isLvalue;
            while (of.part() instanceof Reference(NamePart inner, boolean isInnerLvalue)) {
                lvalue |= isInnerLvalue;
                of = out.resolved(inner, of.scope());
            }
            out.openFor(of);
            out.write(lvalue ? "&" : "&&");
        }

        @Override
        public void right(NameWriter out) {
            NameWriter.Placed of = out.resolved(to);
            while (of.part() instanceof Reference(NamePart inner, _)) {
                of = out.resolved(inner, of.scope());
            }
            out.closeFor(of);
        }
    }

    /// An array.
    record Array(NamePart of, NamePart extent) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.left(of);
        }

        @Override
        public void right(NameWriter out) {
            out.write(" [");
            out.whole(extent);
            out.write("]");
            out.right(of);
        }
    }

    /// The type of a function.
    ///
    /// @param words behind the parameters: `const`
    record Function(NamePart result, NamePart parameters, String words) implements NamePart {
        @Override
        public void left(NameWriter out) {
            out.left(result);
            out.write(" ");
        }

        @Override
        public void right(NameWriter out) {
            out.write("(");
            out.whole(parameters);
            out.write(")");
            out.right(result);
            out.write(words);
        }
    }
}
