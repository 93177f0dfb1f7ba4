package dev.heddle.programs.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The host's side of the program: which of its calls launched a kernel.
public final class HostCode {
    private static final int POSITION_INDEPENDENT = 3;
    private static final Pattern CUDA_HEADER = Pattern.compile("/cuda_runtime(_api)?[.]h:");

    private final MethodHandle site;
    private final Map<Long, HostCall> calls = new ConcurrentHashMap<>();

    /// @param site the address of the function that answers from where this thread called last
    @SuppressWarnings("restricted") // a function of our own library
    public HostCode(long site) {
        this.site =
                Linker.nativeLinker()
                        .downcallHandle(
                                MemorySegment.ofAddress(site),
                                FunctionDescriptor.of(ValueLayout.JAVA_LONG));
    }

    /// From where this thread called CUDA last: a return address, or 0.
    public long calledFrom() {
        try {
            return (long) site.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// What a function of the program answers for a block size: bytes of dynamic shared memory.
    @SuppressWarnings("restricted") // a function pointer of the program's
    public static long bytesOf(long function, int block) {
        try {
            return (long)
                    Linker.nativeLinker()
                            .downcallHandle(
                                    MemorySegment.ofAddress(function),
                                    FunctionDescriptor.of(
                                            ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT))
                            .invokeExact(block);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// The call that is before an address, by the program's debug information.
    ///
    /// @param address behind a call, or 0
    public HostCall call(long address) {
        return address == 0
                ? HostCall.UNKNOWN
                : calls.computeIfAbsent(address, HostCode::callBefore);
    }

    private static HostCall callBefore(long address) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
                String[] words = line.split(" +", 6);
                int dash = words[0].indexOf('-');
                long first = Long.parseUnsignedLong(words[0].substring(0, dash), 16);
                long last = Long.parseUnsignedLong(words[0].substring(dash + 1), 16);
                if (words.length == 6 && first <= address && address < last) {
                    long start = first - Long.parseUnsignedLong(words[2], 16);
                    return call(words[5], start, address - 1);
                }
            }
        } catch (IOException _) {
            // No /proc: the address is all there is.
        }
        return new HostCall("0x%x".formatted(address), "");
    }

    private static HostCall call(String file, long start, long address) throws IOException {
        long offset = isRelocated(file) ? address - start : address;
        String name = String.valueOf(Path.of(file).getFileName());
        HostCall plain = new HostCall("%s+0x%x".formatted(name, offset), "");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(
                            "addr2line", "-C", "-i", "-f", "-e", file, "0x%x".formatted(offset));
            builder.environment().remove("LD_PRELOAD");
            Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return outsideOfHeaders(said.lines().toList(), name).orElse(plain);
        } catch (IOException _) {
            return plain;
        }
    }

    /// The innermost function that is not one of CUDA's own, which are inlined.
    ///
    /// @param lines two for each function: its name, its place
    private static Optional<HostCall> outsideOfHeaders(List<String> lines, String name) {
        for (int i = 0; i + 1 < lines.size(); i += 2) {
            String line = lines.get(i + 1).replaceAll(" \\(discriminator.*", "");
            if (!lines.get(i).equals("??") && !CUDA_HEADER.matcher(line).find()) {
                return Optional.of(
                        line.startsWith("??") || line.endsWith(":?")
                                ? new HostCall(lines.get(i) + " in " + name, "")
                                : new HostCall(lines.get(i), line));
            }
        }
        return Optional.empty();
    }

    private static boolean isRelocated(String file) throws IOException {
        try (RandomAccessFile elf = new RandomAccessFile(file, "r")) {
            elf.seek(16);
            return elf.read() == POSITION_INDEPENDENT;
        }
    }
}
