package dev.heddle.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.heddle.formats.InputException;
import dev.heddle.programs.fatbin.FatBinary;

import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/// Bytes that are read as a fat binary, as `nvcc` puts them into programs.
final class FatBinaryFuzzTest {

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "20m")
    void read(byte[] bytes) {
        try {
            FatBinary.read(ByteBuffer.wrap(bytes));
        } catch (InputException e) {
            // Refused with one message.
        }
    }

    static Stream<byte[]> seeds() {
        ByteBuffer one = ByteBuffer.allocate(16 + 64 + 8).order(ByteOrder.LITTLE_ENDIAN);
        one.putInt(FatBinary.MAGIC).putShort((short) 1).putShort((short) 16).putLong(64 + 8);
        one.putShort((short) 1).putShort((short) 0x101).putInt(64).putLong(8);
        one.position(16 + 64);
        one.put("// ptx\n\0".getBytes(StandardCharsets.US_ASCII));
        return Stream.of(one.array());
    }
}
