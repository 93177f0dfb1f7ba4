package dev.heddle.programs.fatbin;

import dev.heddle.formats.InputException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The device code inside an executable, shared object or object file: sections of an ELF file with
/// one fat binary after the other.
public final class Executable {
    private static final int ELF = 0x464c_457f;
    private static final int CLASS_64 = 2;
    private static final int SECTION_HEADER = 64;
    private static final int ALIGNMENT = 8;

    /// Where `nvcc` puts fat binaries, and where it leaves those of `-rdc=true`.
    private static final Set<String> SECTIONS = Set.of(".nv_fatbin", "__nv_relfatbin");

    private Executable() {}

    /// Whether a file is an ELF file, to judge by its first bytes.
    public static boolean is(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer first = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            return channel.read(first, 0) == 8 && first.getInt(0) == ELF;
        }
    }

    /// All images, in the order of the file.
    ///
    /// @throws InputException where the file is damaged or not of 64 bits
    public static List<DeviceImage> images(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new InputException(file + ": larger than 2 GiB");
            }
            ByteBuffer bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                            .order(ByteOrder.LITTLE_ENDIAN);
            return images(bytes);
        } catch (IndexOutOfBoundsException e) {
            throw new InputException(file + ": a damaged ELF file", e);
        }
    }

    private static List<DeviceImage> images(ByteBuffer elf) {
        if (elf.getInt(0) != ELF || elf.get(4) != CLASS_64) {
            throw new InputException("not an ELF file of 64 bits");
        }
        long headers = elf.getLong(40);
        int count = elf.getShort(60) & 0xffff;
        int names = section(headers, elf.getShort(62) & 0xffff);
        int texts = Math.toIntExact(elf.getLong(names + 24));
        List<DeviceImage> images = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int header = section(headers, i);
            if (SECTIONS.contains(name(elf, texts + elf.getInt(header)))) {
                int from = Math.toIntExact(elf.getLong(header + 24));
                int size = Math.toIntExact(elf.getLong(header + 32));
                addAll(elf.slice(from, size).order(ByteOrder.LITTLE_ENDIAN), images);
            }
        }
        return images;
    }

    private static int section(long headers, int index) {
        return Math.toIntExact(headers + (long) SECTION_HEADER * index);
    }

    private static String name(ByteBuffer elf, int at) {
        int end = at;
        while (elf.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - at];
        elf.get(at, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void addAll(ByteBuffer section, List<DeviceImage> images) {
        int at = 0;
        while (at + 16 <= section.limit()) {
            section.position(at);
            if (section.getInt(at) != FatBinary.MAGIC) {
                at += ALIGNMENT;
                continue;
            }
            images.addAll(FatBinary.read(section));
            long next = at + FatBinary.size(section);
            at = Math.toIntExact((next + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        }
    }
}
