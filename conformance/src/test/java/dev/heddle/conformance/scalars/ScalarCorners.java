package dev.heddle.conformance.scalars;

import java.util.stream.Stream;

/// Operands at which something changes: zeros, ends of ranges, subnormals, infinities, NaN.
final class ScalarCorners {
    static final long[] WORDS =
            numbers(
                    """
                    # Numbers of f32.
                    00000000 80000000 00000001 80000001 007fffff 807fffff 00800000 80800000 00800001
                    3f800000 bf800000 3f800001 3f7fffff 7f7fffff ff7fffff 7f800000 ff800000 7fffffff
                    7f800001 ffc12345 3f000000 3fc00000 c0200000 4b000001 4f000000 cf000000 4f800000
                    5f000000
                    # Integers.
                    00000002 0000001f 00000020 00000021 7fffffff ffffffff 000000ff 00000100 0000ffff
                    00010000 00007fff 00008000
                    # Pairs of halves.
                    3c00bc00 7c00fc00 7e007bff 03ff0400 00018001 7f803f80 7ff7fff7 00808001
                    # More of each.
                    477fe000 477fefff 477ff000 38800000 387fc000 33800000 33000000 33000001 41000000
                    c1000000 42fe0000 c2fc0000 c3150000 43000000 7e800000 7e800001 00400000 43e00000
                    47600000 4effffff 5f7fffff df000000 3effffff 3f000001 7f000000 7f7f0000 7f7f8000
                    7f7fffff 7fc00000 ffffffff 477fffff c77ff000 0080ff01 01020304 fffefdfc
                    """);

    static final long[] LONGS =
            numbers(
                    """
                    # Numbers of f64.
                    0000000000000000 8000000000000000 0000000000000001 8000000000000001
                    000fffffffffffff 0010000000000000 8010000000000000 3ff0000000000000
                    bff0000000000000 3ff0000000000001 3fefffffffffffff 7fefffffffffffff
                    ffefffffffffffff 7ff0000000000000 fff0000000000000 7ff8000000000000
                    fff8000000000000 7ff0000000000001 3fe0000000000000 bff8000000000000
                    4004000000000000 4330000000000001
                    # The ends of f32: 2^-126 and what rounds to it, 2^-149, the largest.
                    3810000000000000 380fffffe0000000 380ffffff0000000 380ffffff8000000
                    380fffffefffffff b80ffffff0000000 36a0000000000000 3690000000000000
                    3690000000000001 47efffffe0000000 47efffffefffffff 47effffff0000000
                    # Integers.
                    0000000000000002 000000000000003f 0000000000000040 7fffffffffffffff
                    ffffffffffffffff 000000007fffffff 0000000080000000 00000000ffffffff
                    0000000100000000 ffffffff80000000 41e0000000000000 43e0000000000000
                    c3e0000000000000 43f0000000000000
                    # More of each.
                    40effc0000000000 40effdffffffffff 40effe0000000000 3f10000000000000
                    3e70000000000000 3e60000000000000 3e60000000000001 41dfffffffc00000
                    41efffffffe00000 c1e0000000000000 c1e0000000200000 405fc00000000000
                    406fe00000000000 c060000000000000 7ff0000000000000 0008000000000000
                    0000000100000000 7ff00000ffffffff 3fdfffffffffffff 37f0000000000000
                    """);

    static final long[] HALVES =
            numbers(
                    """
                    # f16: zeros, subnormals, the least normals, one, the largest, infinities, NaNs.
                    0000 8000 0001 8001 03ff 83ff 0400 8400 0401 3c00 bc00 3c01 3bff 7bff fbff 7c00
                    fc00 7e00 7fff 7c01 fe55 3800 3e00 c100
                    # bf16.
                    007f 0080 8080 3f80 bf80 3f81 3f7f 7f7f ff7f 7f80 ff80 7fc0 7f81 3f00 ffff 4b00
                    # Integers and 8-bit floats.
                    0002 000f 0010 0011 00ff 0100 7ff7 fff7 7e7e 7f7f 7c7c fc7d 0801 ff80
                    """);

    private ScalarCorners() {}

    /// Hexadecimal numbers of a text, which has comments behind `#`.
    private static long[] numbers(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .flatMap(line -> Stream.of(line.split(" ", -1)))
                .mapToLong(number -> Long.parseUnsignedLong(number, 16))
                .toArray();
    }
}
