package dev.heddle.programs.fatbin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A statement of a module, as its text has it: a function with its body, a variable, a directive.
///
/// @param text with the comments before it
/// @param linkage of a symbol, without its dot; empty where only the module sees it
/// @param name of the symbol; empty where it is none
/// @param bytes of a variable; 0 of what is no definition
record ModuleStatement(String text, String linkage, String name, long bytes) {
    private static final int STRONG = 3;

    private static final Pattern COMMENT = Pattern.compile("//[^\n]*|(?s:/\\*.*?\\*/)");
    private static final Pattern LINE =
            Pattern.compile("\\s*\\.(version|target|address_size|file|loc)\\b.*", Pattern.DOTALL);
    private static final Pattern HEADER =
            Pattern.compile("\\s*\\.(version|target|address_size)\\b.*", Pattern.DOTALL);
    private static final Pattern SYMBOL =
            Pattern.compile(
                    "\\s*(?:\\.(extern|visible|weak|common)\\b)?\\s*\\.(func|entry|global|const|shared)\\b");
    private static final Pattern FUNCTION =
            Pattern.compile("\\.(?:func|entry)\\s*(?:\\([^)]*\\))?\\s*([\\w$%]+)");
    private static final Pattern VARIABLE =
            Pattern.compile("\\.[busf](\\d+)\\s+([\\w$%]+)\\s*((?:\\[[^]]*]\\s*)*)(?:=|;)");
    private static final Pattern IDENTIFIER = Pattern.compile("[\\w$%]+");
    private static final Pattern EXTENT = Pattern.compile("\\[\\s*(\\d+)\\s*]");

    /// The statements of a module, whose texts are its text.
    static List<ModuleStatement> of(String module) {
        List<ModuleStatement> statements = new ArrayList<>();
        int start = 0;
        int depth = 0;
        for (int i = 0; i < module.length(); i++) {
            char c = module.charAt(i);
            if (c == '"') {
                i = Math.max(i, module.indexOf('"', i + 1));
            } else if (module.startsWith("//", i)) {
                i = module.indexOf('\n', i) < 0 ? module.length() - 1 : module.indexOf('\n', i) - 1;
            } else if (module.startsWith("/*", i)) {
                i = Math.max(i, module.indexOf("*/", i) + 1);
            } else {
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                if (depth == 0 && ends(c, module, start, i)) {
                    statements.add(of(module.substring(start, i + 1), c));
                    start = i + 1;
                }
            }
        }
        statements.add(new ModuleStatement(module.substring(start), "", "", 0));
        return statements;
    }

    /// Whether a character outside of braces is the last of a statement.
    private static boolean ends(char c, String module, int start, int at) {
        return switch (c) {
            case ';' -> true;
            // behind those of an initializer comes a semicolon
            case '}' -> head(module.substring(start, at)).indexOf('=') < 0;
            case '\n' -> LINE.matcher(code(module.substring(start, at))).matches();
            default -> false;
        };
    }

    private static String code(String text) {
        return COMMENT.matcher(text).replaceAll(" ");
    }

    /// Up to its body or initializer.
    private static String head(String text) {
        String code = code(text);
        int brace = code.indexOf('{');
        return brace < 0 ? code : code.substring(0, brace);
    }

    private static ModuleStatement of(String text, char last) {
        String head = head(text);
        Matcher symbol = SYMBOL.matcher(head);
        if (!symbol.lookingAt()) {
            return new ModuleStatement(text, "", "", 0);
        }
        String linkage = symbol.group(1) == null ? "" : symbol.group(1);
        Matcher function = FUNCTION.matcher(head);
        if (function.find()) {
            return new ModuleStatement(text, linkage, function.group(1), last == '}' ? 1 : 0);
        }
        Matcher variable = VARIABLE.matcher(head);
        if (!variable.find()) {
            return new ModuleStatement(text, "", "", 0);
        }
        long elements =
                EXTENT.matcher(variable.group(3))
                        .results()
                        .map(MatchResult::group)
                        .map(extent -> extent.replaceAll("\\D", ""))
                        .mapToLong(Long::parseLong)
                        .reduce(1, (a, b) -> a * b);
        long bytes = elements * Integer.parseInt(variable.group(1)) / Byte.SIZE;
        return new ModuleStatement(
                text, linkage, variable.group(2), linkage.equals("extern") ? 0 : bytes);
    }

    /// The same with other names for some symbols.
    ModuleStatement renamed(Map<String, String> names) {
        if (names.isEmpty()) {
            return this;
        }
        String other =
                IDENTIFIER
                        .matcher(text)
                        .replaceAll(
                                found ->
                                        Matcher.quoteReplacement(
                                                names.getOrDefault(found.group(), found.group())));
        return new ModuleStatement(other, linkage, names.getOrDefault(name, name), bytes);
    }

    /// What lets statements behind it use the symbol before it is defined.
    String declaration() {
        String head = head(text);
        int value = head.indexOf('=');
        String said = (value < 0 ? head : head.substring(0, value)).replace(";", "").strip();
        return said.contains(".entry")
                ? "\n"
                : "\n.extern %s;\n".formatted(said.replaceFirst("^\\.(visible|weak|common) *", ""));
    }

    /// Whether it defines a symbol.
    boolean isDefinition() {
        return bytes > 0;
    }

    /// Whether this definition and one of another module may both be there (PTX ISA 11.6): not two
    /// that are neither `.weak` nor `.common`, and not variables of different sizes, where nvlink
    /// lets only `.common` ones be smaller.
    boolean mayStandFor(ModuleStatement other) {
        boolean fits =
                bytes == other.bytes
                        || isCommon() && (other.isCommon() || bytes < other.bytes)
                        || other.isCommon() && other.bytes < bytes;
        return fits && (rank() < STRONG || other.rank() < STRONG);
    }

    /// Whether it is the one of two that is taken, where another came first: as nvlink does, what
    /// is not `.weak`, then what has a value; of `.common` variables the largest.
    boolean prevailsOver(ModuleStatement first) {
        return rank() > first.rank() || rank() == first.rank() && bytes > first.bytes;
    }

    private boolean isCommon() {
        return linkage.equals("common");
    }

    private int rank() {
        boolean hasContents = code(text).contains("=") || code(text).contains("{");
        return isCommon() ? 0 : !linkage.equals("weak") ? STRONG : hasContents ? 2 : 1;
    }

    /// Whether only its module sees the symbol.
    boolean isInternal() {
        return linkage.isEmpty();
    }

    /// Whether it says what the module is written for.
    boolean isHeader() {
        return HEADER.matcher(code(text)).matches();
    }
}
