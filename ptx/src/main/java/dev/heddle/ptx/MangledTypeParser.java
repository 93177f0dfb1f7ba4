package dev.heddle.ptx;

import dev.heddle.ptx.NamePart.Array;
import dev.heddle.ptx.NamePart.Expansion;
import dev.heddle.ptx.NamePart.Function;
import dev.heddle.ptx.NamePart.Listed;
import dev.heddle.ptx.NamePart.Pointer;
import dev.heddle.ptx.NamePart.Qualified;
import dev.heddle.ptx.NamePart.Reference;
import dev.heddle.ptx.NamePart.Sequence;
import dev.heddle.ptx.NamePart.Templated;
import dev.heddle.ptx.NamePart.Text;

import java.util.ArrayList;
import java.util.List;

/// Reads types (Itanium C++ ABI 5.1.5).
final class MangledTypeParser {
    private static final NamePart VOID = new Text("void");

    private final MangledText text;
    private final MangledNameParser names;
    private boolean isOfConversion;

    MangledTypeParser(MangledText text, MangledNameParser names) {
        this.text = text;
        this.names = names;
    }

    /// `const` and its kin, as they stand behind a type.
    String qualifiers() {
        StringBuilder words = new StringBuilder();
        boolean isRestricted = text.take("r");
        boolean isVolatile = text.take("V");
        if (text.take("K")) {
            words.append(" const");
        }
        words.append(isVolatile ? " volatile" : "").append(isRestricted ? " __restrict__" : "");
        return words.toString();
    }

    /// Those of a function, up to the end of what is read.
    NamePart parameters() {
        List<NamePart> parameters = new ArrayList<>();
        while (!text.atEnd()
                && text.peek() != 'E'
                && text.peek() != '.'
                && !text.isNext("RE")
                && !text.isNext("OE")) {
            parameters.add(type());
        }
        return parameters.equals(List.of(VOID)) ? Text.NONE : new Listed(parameters);
    }

    /// That of a conversion: arguments behind a parameter are the conversion's.
    NamePart ofConversion() {
        boolean before = isOfConversion;
        isOfConversion = true;
        NamePart type = type();
        isOfConversion = before;
        return type;
    }

    NamePart type() {
        text.enter();
        NamePart type = unboundedType();
        text.leave();
        return type;
    }

    private NamePart unboundedType() {
        char kind = text.peek();
        String builtin = MangledNames.BUILTIN.get(kind);
        if (builtin != null) {
            text.skip(1);
            return builtin.equals("void") ? VOID : new Text(builtin);
        }
        return switch (kind) {
            case 'r', 'V', 'K' -> qualified();
            case 'P' -> names.remember(new Pointer(next(), new Text("*")));
            case 'R' -> names.remember(new Reference(next(), true));
            case 'O' -> names.remember(new Reference(next(), false));
            case 'C' -> names.remember(new Qualified(next(), " _Complex"));
            case 'G' -> names.remember(new Qualified(next(), " _Imaginary"));
            case 'F' -> function("");
            case 'A' -> array();
            case 'M' -> member();
            case 'T' -> parameter();
            case 'S' -> text.isNext("St") ? named() : known();
            case 'U' -> vendor();
            case 'u' -> {
                text.skip(1);
                yield names.remember(new Text(names.sourceName()));
            }
            case 'D' -> special();
            default -> named();
        };
    }

    private NamePart next() {
        text.skip(1);
        return type();
    }

    private NamePart named() {
        return names.remember(names.typeName());
    }

    private NamePart qualified() {
        String words = qualifiers();
        if (text.peek() == 'F') {
            return function(words);
        }
        if (text.isNext("Do")) {
            return noexcept(words);
        }
        return names.remember(new Qualified(type(), words));
    }

    private NamePart known() {
        NamePart name = names.substitution();
        return text.peek() == 'I' ? names.remember(appended(name)) : name;
    }

    private NamePart parameter() {
        if (text.isNext("Te") || text.isNext("Ts") || text.isNext("Tu")) {
            text.skip(2); // enum, struct, union
            return named();
        }
        NamePart parameter = names.remember(names.templateParameter());
        return text.peek() == 'I' && !isOfConversion
                ? names.remember(appended(parameter))
                : parameter;
    }

    private NamePart appended(NamePart name) {
        return new Templated(name, names.templateArguments());
    }

    private NamePart vendor() {
        text.skip(1);
        String word = names.sourceName();
        if (text.peek() == 'I') {
            names.templateArguments();
        }
        return names.remember(new Qualified(type(), " " + word));
    }

    private NamePart function(String words) {
        text.require("F");
        text.take("Y");
        NamePart result = type();
        NamePart parameters = parameters();
        String reference = text.take("R") ? " &" : text.take("O") ? " &&" : "";
        text.require("E");
        return names.remember(new Function(result, parameters, words + reference));
    }

    private NamePart noexcept(String words) {
        text.require("Do");
        return function(" noexcept" + words);
    }

    private NamePart array() {
        text.skip(1);
        NamePart extent;
        if (text.peek() == '_' || Character.isDigit(text.peek())) {
            extent = new Text(text.before('_'));
        } else {
            extent = names.expressions().expression();
            text.require("_");
        }
        return names.remember(new Array(type(), extent));
    }

    private NamePart member() {
        text.skip(1);
        NamePart of = type();
        NamePart member = type();
        boolean isFunction = member instanceof Function;
        NamePart mark = Sequence.of(new Text(isFunction ? "" : " "), of, new Text("::*"));
        return names.remember(new Pointer(member, mark));
    }

    NamePart decltype() {
        text.skip(2);
        NamePart expression = names.expressions().expression();
        text.require("E");
        return Sequence.of(new Text("decltype ("), expression, new Text(")"));
    }

    private NamePart special() {
        if (text.isNext("Dt") || text.isNext("DT")) {
            return names.remember(decltype());
        }
        if (text.isNext("Do")) {
            return noexcept("");
        }
        if (text.take("Dp")) {
            return names.remember(new Expansion(type()));
        }
        if (text.take("DF")) {
            String bits = text.digits();
            boolean isBrain = text.take("b");
            text.take(isBrain ? "" : text.peek() == 'x' ? "x" : "_");
            return new Text(isBrain ? "std::bfloat" + bits + "_t" : "_Float" + bits);
        }
        if (text.take("Dv")) {
            return vector();
        }
        String builtin = MangledNames.SPECIAL.get(text.peek(1));
        if (builtin == null) {
            return named();
        }
        text.skip(2);
        return new Text(builtin);
    }

    private NamePart vector() {
        NamePart extent;
        if (Character.isDigit(text.peek())) {
            extent = new Text(text.before('_'));
        } else {
            text.require("_");
            extent = names.expressions().expression();
            text.require("_");
        }
        NamePart of = type();
        return names.remember(Sequence.of(of, new Text(" __vector("), extent, new Text(")")));
    }
}
