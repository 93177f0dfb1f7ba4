package dev.heddle.ptx;

import java.util.Map;

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

    /// Names of the standard library.
    static final Map<String, String> STANDARD =
            Map.of(
                    "St", "std",
                    "Sa", "std::allocator",
                    "Sb", "std::basic_string",
                    "Ss", "std::string",
                    "Si", "std::istream",
                    "So", "std::ostream",
                    "Sd", "std::iostream");

    private MangledNames() {}
}
