package dev.heddle.conformance.functions;

import dev.heddle.cuda.Arguments;
import dev.heddle.cuda.Context;
import dev.heddle.cuda.CudaModule;
import dev.heddle.cuda.DeviceMemory;
import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.LaunchShape;
import dev.heddle.tensorcore.functions.ApproximateFunction;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Every function on all of its 2^32 inputs: checksums of the model, one for each sign and
/// exponent, against those of the GPU of this machine, or against the stored ones that a GPU gave.
///
/// `AllInputs [--gpu] [--only REGEX] [--blocks N] [--write FILE]`; `--blocks` takes every Nth
/// exponent block only, `--write` stores the GPU's checksums. Exit code 1 where any differ.
public final class AllInputs {
    /// Inputs that share sign and exponent, of `.f32`.
    private static final int BLOCK = 1 << 23;

    private static final int BLOCKS = 512;
    private static final int CHUNK = 1 << 12;
    private static final int CTAS = 64;
    private static final int THREADS = 256;
    private static final int SHOWN = 5;

    private final PrintStream out;

    private AllInputs(PrintStream out) {
        this.out = out;
    }

    @SuppressWarnings("SystemOut") // the report of a command
    public static void main(String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        Pattern only = Pattern.compile(option(given, "--only", ""));
        List<InputSpace> spaces =
                Arrays.stream(ApproximateFunction.values())
                        .flatMap(function -> Arrays.stream(InputSpace.of(function)))
                        .filter(space -> only.matcher(space.toString()).find())
                        .toList();
        AllInputs campaign = new AllInputs(System.out);
        int every = Integer.parseInt(option(given, "--blocks", "1"));
        boolean equal;
        if (given.contains("--gpu")) {
            equal = campaign.againstGpu(spaces, every, option(given, "--write", ""));
        } else {
            equal = campaign.againstStored(spaces, every);
        }
        System.exit(equal ? 0 : 1);
    }

    static String option(List<String> given, String name, String otherwise) {
        int at = given.indexOf(name);
        return at < 0 ? otherwise : given.get(at + 1);
    }

    private boolean againstGpu(List<InputSpace> spaces, int every, String file) throws IOException {
        Map<String, long[]> measured = new LinkedHashMap<>();
        boolean equal = true;
        try (Gpu gpu = Gpu.open()) {
            out.println(gpu.description());
            for (InputSpace space : spaces) {
                long[] device = device(gpu.context(), space);
                measured.put(space.toString(), device);
                List<Integer> different = compare(space, device, every);
                equal &= different.isEmpty();
                for (int block : different.subList(0, Math.min(2, different.size()))) {
                    show(gpu.context(), space, block);
                }
            }
        }
        if (!file.isEmpty()) {
            write(measured, Path.of(file));
        }
        return equal;
    }

    private boolean againstStored(List<InputSpace> spaces, int every) {
        Map<String, long[]> stored = stored();
        boolean equal = true;
        for (InputSpace space : spaces) {
            long[] expected =
                    Objects.requireNonNull(stored.get(space.toString()), space + " is not stored");
            equal &= compare(space, expected, every).isEmpty();
        }
        return equal;
    }

    /// The blocks in which the model differs.
    private List<Integer> compare(InputSpace space, long[] expected, int every) {
        long start = System.nanoTime();
        int[] blocks = IntStream.range(0, BLOCKS).filter(b -> b % every == 0).toArray();
        List<Integer> different =
                IntStream.of(blocks)
                        .parallel()
                        .filter(block -> checksum(space, block) != expected[block])
                        .boxed()
                        .toList();
        out.printf(
                "%-32s %,d inputs: %s (%.1f s)%n",
                space,
                (long) blocks.length * BLOCK,
                different.isEmpty() ? "equal" : "DIFFERENT in blocks " + different,
                (System.nanoTime() - start) / 1e9);
        return different;
    }

    /// The model's checksum of the inputs from `block << 23` on.
    static long checksum(InputSpace space, int block) {
        long[] results = new long[CHUNK];
        long sum = 0;
        for (int at = 0; at < BLOCK; at += CHUNK) {
            int first = (block << 23) + at;
            space.model().results(first, results);
            for (int i = 0; i < CHUNK; i++) {
                long word = (first + i & 0xffff_ffffL) * 0x9e3779b97f4a7c15L + results[i];
                word = (word ^ word >>> 32) * 0xd6e8feb86659fd93L;
                sum += word ^ word >>> 32;
            }
        }
        return sum;
    }

    /// The same in PTX: a sum for each block, and with an address in `raw` the results themselves.
    static String kernel(InputSpace space) {
        return """
        .version 8.0
        .target sm_90
        .address_size 64
        .visible .entry sums(.param .u64 sums, .param .u64 raw, .param .u32 first)
        {
        .reg .b64 %%sums, %%raw, %%x, %%result, %%w, %%v, %%sum, %%at;
        .reg .b32 %%block, %%n, %%a, %%b, %%t, %%i, %%end;
        .reg .pred %%p, %%store;
        ld.param.u64 %%sums, [sums];
        ld.param.u64 %%raw, [raw];
        ld.param.u32 %%block, [first];
        setp.ne.u64 %%store, %%raw, 0;
        mov.u32 %%a, %%ctaid.y;
        add.u32 %%block, %%block, %%a;
        mov.u32 %%i, %%ctaid.x;
        shl.b32 %%i, %%i, 8;
        mov.u32 %%t, %%tid.x;
        add.u32 %%i, %%i, %%t;
        mov.u64 %%sum, 0;
        LOOP:
        shl.b32 %%n, %%block, 23;
        or.b32 %%n, %%n, %%i;
        %s
        cvt.u64.u32 %%w, %%n;
        mul.lo.u64 %%w, %%w, 0x9e3779b97f4a7c15;
        add.u64 %%w, %%w, %%result;
        shr.u64 %%v, %%w, 32;
        xor.b64 %%w, %%w, %%v;
        mul.lo.u64 %%w, %%w, 0xd6e8feb86659fd93;
        shr.u64 %%v, %%w, 32;
        xor.b64 %%w, %%w, %%v;
        add.u64 %%sum, %%sum, %%w;
        mul.wide.u32 %%at, %%i, 8;
        add.u64 %%at, %%at, %%raw;
        @%%store st.global.u64 [%%at], %%result;
        add.u32 %%i, %%i, 16384;
        setp.lt.u32 %%p, %%i, 0x800000;
        @%%p bra LOOP;
        mul.wide.u32 %%at, %%block, 8;
        add.u64 %%at, %%at, %%sums;
        red.global.add.u64 [%%at], %%sum;
        ret;
        }
        """
                .formatted(space.ptx());
    }

    private static long[] device(Context gpu, InputSpace space) {
        try (CudaModule module = gpu.load(kernel(space));
                DeviceMemory sums = gpu.allocate(new byte[BLOCKS * Long.BYTES])) {
            module.function("sums")
                    .launch(
                            new LaunchShape(
                                    new LaunchShape.Extent(CTAS, BLOCKS, 1),
                                    new LaunchShape.Extent(THREADS, 1, 1),
                                    0),
                            Arguments.builder().address(sums).s64(0).s32(0).build());
            gpu.synchronize();
            return longs(sums);
        }
    }

    private static long[] longs(DeviceMemory memory) {
        long[] words = new long[(int) (memory.byteSize() / Long.BYTES)];
        ByteBuffer.wrap(memory.toByteArray())
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(words);
        return words;
    }

    /// Prints the first inputs of a block on which model and device differ.
    private void show(Context gpu, InputSpace space, int block) {
        try (CudaModule module = gpu.load(kernel(space));
                DeviceMemory sums = gpu.allocate(new byte[BLOCKS * Long.BYTES]);
                DeviceMemory raw = gpu.allocate((long) BLOCK * Long.BYTES)) {
            module.function("sums")
                    .launch(
                            LaunchShape.linear(CTAS, THREADS),
                            Arguments.builder().address(sums).address(raw).s32(block).build());
            gpu.synchronize();
            long[] device = longs(raw);
            long[] model = new long[BLOCK];
            space.model().results(block << 23, model);
            int shown = 0;
            for (int i = 0; i < BLOCK && shown < SHOWN; i++) {
                if (device[i] != model[i]) {
                    shown++;
                    out.printf(
                            "  input %08x: model %x, device %x%n",
                            (block << 23) + i, model[i], device[i]);
                }
            }
        }
    }

    private static void write(Map<String, long[]> measured, Path file) throws IOException {
        try (DataOutputStream to = new DataOutputStream(Files.newOutputStream(file))) {
            to.writeInt(measured.size());
            for (Map.Entry<String, long[]> one : measured.entrySet()) {
                to.writeUTF(one.getKey());
                for (long sum : one.getValue()) {
                    to.writeLong(sum);
                }
            }
        }
    }

    /// The checksums that a GPU gave, by the name of the space.
    static Map<String, long[]> stored() {
        try (InputStream in = AllInputs.class.getResourceAsStream("checksums.bin");
                DataInputStream from = new DataInputStream(Objects.requireNonNull(in))) {
            Map<String, long[]> stored = new LinkedHashMap<>();
            for (int left = from.readInt(); left > 0; left--) {
                String name = from.readUTF();
                List<Long> sums = new ArrayList<>();
                for (int i = 0; i < BLOCKS; i++) {
                    sums.add(from.readLong());
                }
                stored.put(name, sums.stream().mapToLong(Long::longValue).toArray());
            }
            return stored;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
