package dev.heddle.vm.report;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Demangler;
import dev.heddle.ptx.SourceLines;
import dev.heddle.vm.ir.Site;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.regex.Pattern;

/// A line of a suppression file: findings that are known.
///
/// ```
/// data-race                                # everywhere
/// data-race        kernel=reduce*          # in kernels of these names, as PTX or C++ writes them
/// uninitialized-read at=scan.cu:41         # at a line of the source, or of the PTX
/// *                at=vendor.cu            # anything in a file
/// ```
///
/// @param text of the line, as it is written
/// @param line in its file, from 1
/// @param rule its id, or null for all rules
/// @param kernel a pattern of names, in which `*` stands for anything; or null for all kernels
/// @param file the last part of the name of a source or PTX file, or null for all places
/// @param at the line in that file, or 0 for all of it
public record Suppression(
        String text,
        int line,
        @Nullable Rule rule,
        @Nullable String kernel,
        @Nullable String file,
        int at) {

    /// Whether it means this finding.
    ///
    /// @param symbol of the kernel that was launched
    boolean covers(Finding finding, String symbol) {
        return (rule == null || rule == finding.rule())
                && (kernel == null || isNamed(symbol))
                && (file == null || isAt(finding.site()));
    }

    private boolean isNamed(String symbol) {
        Pattern pattern = Pattern.compile(literally(String.valueOf(kernel)));
        return pattern.matcher(symbol).matches()
                || pattern.matcher(Demangler.nameOf(symbol)).matches()
                || pattern.matcher(Demangler.demangle(symbol)).matches();
    }

    private static String literally(String pattern) {
        return Pattern.quote(pattern).replace("*", "\\E.*\\Q");
    }

    private boolean isAt(@Nullable Site site) {
        if (site == null) {
            return false;
        }
        String source = site.source();
        return isAt(site.position().file(), site.position().line())
                || source != null && source.lines().anyMatch(this::isIn);
    }

    /// Whether `kernel.cu:5, inlined at kernel.cu:9` names the place.
    private boolean isIn(String source) {
        for (String place : SourceLines.places(source)) {
            int colon = place.lastIndexOf(':');
            Optional<Integer> number = number(place.substring(colon + 1));
            if (colon > 0 && number.isPresent() && isAt(place.substring(0, colon), number.get())) {
                return true;
            }
        }
        return false;
    }

    static Optional<Integer> number(String text) {
        try {
            return Optional.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private boolean isAt(String name, int number) {
        String part = String.valueOf(file);
        return (at == 0 || at == number) && (name.equals(part) || name.endsWith("/" + part));
    }
}
