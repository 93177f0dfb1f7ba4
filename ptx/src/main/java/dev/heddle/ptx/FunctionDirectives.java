package dev.heddle.ptx;

import java.util.Set;

/// The directives that may appear between a function's header and its body (PTX ISA 11.4, 11.7,
/// 11.8).
final class FunctionDirectives {

    private static final Set<String> NAMES =
            Set.of(
                    """
                    maxnreg maxntid reqntid minnctapersm maxnctapersm noreturn abi_preserve
                    abi_preserve_control reqnctapercluster explicitcluster maxclusterrank
                    blocksareclusters
                    """
                            .split("\\s"));

    private FunctionDirectives() {}

    static boolean isKnown(String name) {
        return NAMES.contains(name);
    }
}
