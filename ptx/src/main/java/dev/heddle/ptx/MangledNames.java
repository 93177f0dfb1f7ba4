package dev.heddle.ptx;

import java.util.Map;
import java.util.stream.Collectors;

/// The codes that the Itanium C++ ABI, section 5.1, gives to names that every program has.
final class MangledNames {
    /// Types of the language.
    static final Map<Character, String> BUILTIN =
            Map.ofEntries(
                    Map.entry('v', "void"),
                    Map.entry('w', "wchar_t"),
                    Map.entry('b', "bool"),
                    Map.entry('c', "char"),
                    Map.entry('a', "signed char"),
                    Map.entry('h', "unsigned char"),
                    Map.entry('s', "short"),
                    Map.entry('t', "unsigned short"),
                    Map.entry('i', "int"),
                    Map.entry('j', "unsigned int"),
                    Map.entry('l', "long"),
                    Map.entry('m', "unsigned long"),
                    Map.entry('x', "long long"),
                    Map.entry('y', "unsigned long long"),
                    Map.entry('n', "__int128"),
                    Map.entry('o', "unsigned __int128"),
                    Map.entry('f', "float"),
                    Map.entry('d', "double"),
                    Map.entry('e', "long double"),
                    Map.entry('g', "__float128"),
                    Map.entry('z', "..."));

    /// Types of the language whose code has a `D` before it.
    static final Map<Character, String> SPECIAL =
            Map.of(
                    'a', "auto",
                    'c', "decltype(auto)",
                    'n', "decltype(nullptr)",
                    'd', "decimal64",
                    'e', "decimal128",
                    'f', "decimal32",
                    'h', "half",
                    'i', "char32_t",
                    's', "char16_t",
                    'u', "char8_t");

    private static final String OF_CHARACTERS = "<char, std::char_traits<char> >";

    /// Names of the standard library, behind an `S`.
    static final Map<Character, String> STANDARD =
            Map.of(
                    't', "std",
                    'a', "std::allocator",
                    'b', "std::basic_string",
                    's', "std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
                    'i', "std::basic_istream" + OF_CHARACTERS,
                    'o', "std::basic_ostream" + OF_CHARACTERS,
                    'd', "std::basic_iostream" + OF_CHARACTERS);

    /// Operators by what they are called in names.
    static final Map<String, String> OPERATORS =
            pairs(
                    """
                    nw new na new[] dl delete da delete[] aw co_await ps + ng - ad & de * co ~ pl + mi -
                    ml * dv / rm % an & or | eo ^ aS = pL += mI -= mL *= dV /= rM %= aN &= oR |= eO ^=
                    ls << rs >> lS <<= rS >>= eq == ne != lt < gt > le <= ge >= ss <=> nt ! aa && oo ||
                    pp ++ mm -- cm , pm ->* pt -> cl () ix [] qu ? dt . ds .*\
                    """);

    /// What compilers make for something of the program's: of types, of variables, of functions.
    static final Map<String, String> MADE =
            Map.of(
                    "TV", "vtable for ",
                    "TT", "VTT for ",
                    "TI", "typeinfo for ",
                    "TS", "typeinfo name for ",
                    "GV", "guard variable for ",
                    "TH", "TLS init function for ",
                    "TW", "TLS wrapper function for ",
                    "Th", "non-virtual thunk to ",
                    "Tv", "virtual thunk to ");

    private MangledNames() {}

    private static Map<String, String> pairs(String text) {
        return text.lines()
                .map(String::strip)
                .flatMap(
                        line ->
                                java.util.regex.Pattern.compile("(\\S+) (\\S+)")
                                        .matcher(line)
                                        .results())
                .collect(
                        Collectors.toUnmodifiableMap(pair -> pair.group(1), pair -> pair.group(2)));
    }

    /// What constructors of a class are called.
    static String base(String name) {
        String last = name.startsWith("std::") ? name.substring(5) : name;
        return last.endsWith(">") ? last.substring(0, last.indexOf('<')) : last;
    }
}
