package dev.heddle.isa.search;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How disassemblers name the machine instruction that a matrix instruction becomes.
///
/// A name such as `HMMA.SP.16832.F32.BF16` is the mnemonic, the shape without its letters and the
/// types; of `HMMA` the types are D's and, where they are not f16, A's. NVIDIA documents the
/// mnemonics in the CUDA Binary Utilities, tables "Hopper instruction set" and its neighbours, but
/// not what they compute: the types here are those that disassemblies of `mma` and `wgmma` show.
///
/// @param mnemonic  the first word
/// @param warpgroup whether `wgmma` becomes it, and not `mma`
/// @param types     element types of A that it multiplies
/// @param meaning   what it is, in words
public record SassName(String mnemonic, boolean warpgroup, List<String> types, String meaning) {
    private static final List<String> HALF = List.of("f16", "bf16", "tf32");
    private static final List<String> INTEGER = List.of("s8", "u8", "s4", "u4");
    private static final List<String> NARROW = List.of("e4m3", "e5m2", "e3m2", "e2m3", "e2m1");
    private static final List<String> BYTE = List.of("e4m3", "e5m2");

    private static final List<SassName> ALL =
            List.of(
                    new SassName("HMMA", false, HALF, "half precision, bf16 and tf32 of a warp"),
                    new SassName("IMMA", false, INTEGER, "integers of a warp"),
                    new SassName("BMMA", false, List.of("b1"), "single bits of a warp"),
                    new SassName("DMMA", false, List.of("f64"), "double precision of a warp"),
                    new SassName("QMMA", false, NARROW, "8- and 6-bit floats of a warp"),
                    new SassName("OMMA", false, List.of("e2m1"), "scaled 4-bit floats of a warp"),
                    new SassName(
                            "HGMMA", true, HALF, "half precision, bf16 and tf32 of a warpgroup"),
                    new SassName("IGMMA", true, List.of("s8", "u8"), "integers of a warpgroup"),
                    new SassName("BGMMA", true, List.of("b1"), "single bits of a warpgroup"),
                    new SassName("QGMMA", true, BYTE, "8-bit floats of a warpgroup"));

    public SassName {
        types = List.copyOf(types);
    }

    /// Every mnemonic.
    public static List<SassName> all() {
        return ALL;
    }

    /// The name that a mnemonic in any case is.
    static Optional<SassName> of(String mnemonic) {
        String upper = mnemonic.toUpperCase(Locale.ROOT);
        return ALL.stream().filter(name -> name.mnemonic.equals(upper)).findFirst();
    }
}
