package dev.heddle.programs.device;

import dev.heddle.files.Npy;
import dev.heddle.formats.Codes;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Launches as launch files, with the buffers that they reach by their arguments, before and after:
/// `--save-launches`. `heddle run` repeats each and compares.
final class SavedLaunches {
    /// Larger launches are not written.
    private static final long MOST_BYTES = 1L << 30;

    private final Path folder;
    private final GlobalMemory memory;
    private final Set<String> modules = new HashSet<>();

    SavedLaunches(Path folder, GlobalMemory memory) {
        this.folder = folder;
        this.memory = memory;
    }

    /// A launch whose inputs are written.
    ///
    /// @param launches where it belongs
    /// @param name of its files
    /// @param fields of the launch file so far
    /// @param names of its buffers
    /// @param before what its buffers hold as it is repeated
    record Saved(
            SavedLaunches launches,
            String name,
            Map<String, Object> fields,
            Map<Buffer, String> names,
            Map<Buffer, byte[]> before) {
        /// Writes the launch file.
        void finish(Outcome outcome) {
            try {
                launches.after(this, outcome);
            } catch (IOException e) {
                System.err.println("heddle: " + name + " cannot be written: " + e.getMessage());
            }
        }
    }

    /// Writes what a launch begins with.
    ///
    /// @throws IOException where it cannot be written, or is too large
    Saved before(Kernel kernel, Launch launch, long number) throws IOException {
        Files.createDirectories(folder);
        SavedArguments arguments = new SavedArguments(memory);
        Map<String, Object> fields = new LinkedHashMap<>();
        String name = "launch-" + number;
        fields.put("ptx", module(kernel));
        fields.put("entry", kernel.code().name());
        addShape(fields, launch);
        List<Object> all = new ArrayList<>();
        for (Argument argument : launch.arguments()) {
            if (argument instanceof Argument.Value(byte[] bytes)) {
                all.add(arguments.argument(bytes));
            }
        }
        Map<String, Object> variables = variables(kernel, arguments, name);
        Map<Buffer, byte[]> before = new LinkedHashMap<>();
        fields.put("buffers", buffers(arguments, before, name));
        if (!variables.isEmpty()) {
            fields.put("variables", variables);
        }
        fields.put("args", all);
        return new Saved(this, name, fields, arguments.buffers(), before);
    }

    private static void addShape(Map<String, Object> fields, Launch launch) {
        Launch.Shape shape = launch.shape();
        fields.put("grid", list(shape.grid()));
        fields.put("block", list(shape.block()));
        if (shape.cluster() != null) {
            fields.put("cluster", list(shape.cluster()));
        }
        if (shape.dynamicShared() != 0) {
            fields.put("shared", shape.dynamicShared());
        }
        if (shape.cooperative()) {
            fields.put("cooperative", true);
        }
        fields.put("timeout", launch.limits().time().toSeconds());
        Set<RuleGroup> checks = launch.checks();
        if (checks.isEmpty()) {
            fields.put("check", "none");
        } else if (!checks.equals(RuleGroup.CHECKS)) {
            fields.put("check", checks.stream().map(RuleGroup::word).sorted().toList());
        }
    }

    private static List<Integer> list(Extent extent) {
        return List.of(extent.x(), extent.y(), extent.z());
    }

    private synchronized String module(Kernel kernel) throws IOException {
        String name = Path.of(kernel.source().file()).getFileName().toString();
        if (modules.add(name)) {
            Files.writeString(folder.resolve(name), kernel.source().text());
        }
        return name;
    }

    /// Variables of the module that no longer hold what the module says.
    private Map<String, Object> variables(Kernel kernel, SavedArguments arguments, String name)
            throws IOException {
        Map<String, Object> variables = new LinkedHashMap<>();
        byte[] image = kernel.program().image();
        for (Program.Symbol symbol : kernel.program().symbols()) {
            long at = symbol.address() - kernel.program().base();
            int bytes = (int) symbol.bytes();
            if (!symbol.visible() || bytes == 0 || at < 0 || at > image.length - bytes) {
                continue;
            }
            String variable = symbol.name();
            byte[] now = read(Buffer.of(symbol));
            if (!Arrays.equals(now, 0, bytes, image, (int) at, (int) at + bytes)) {
                variables.put(variable, variable(now, arguments, name, variable));
            }
        }
        return variables;
    }

    private Object variable(byte[] now, SavedArguments arguments, String name, String variable)
            throws IOException {
        Map<String, Object> argument = arguments.argument(now);
        return argument.containsKey("at") || now.length <= Long.BYTES * 8
                ? argument
                : Map.of("file", file(name + "." + variable, now));
    }

    private List<Object> buffers(SavedArguments arguments, Map<Buffer, byte[]> before, String name)
            throws IOException {
        long total = arguments.buffers().keySet().stream().mapToLong(Buffer::bytes).sum();
        if (total > MOST_BYTES) {
            throw new IOException(total + " bytes of buffers: at most " + MOST_BYTES);
        }
        List<Object> buffers = new ArrayList<>();
        for (Map.Entry<Buffer, String> each : arguments.buffers().entrySet()) {
            byte[] contents = read(each.getKey());
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("buffer", each.getValue());
            if (isUntouched(each.getKey())) {
                fields.put("poison", each.getKey().bytes());
                Arrays.fill(contents, GlobalMemory.POISON);
            } else {
                fields.put("file", file(name + "." + each.getValue(), contents));
            }
            if (arguments.holdsAddresses(contents)) {
                System.err.printf(
                        "heddle: %s: %s holds addresses, which will be others when it is run%n",
                        name, each.getValue());
            }
            before.put(each.getKey(), contents);
            buffers.add(fields);
        }
        return buffers;
    }

    private boolean isUntouched(Buffer buffer) {
        if (!memory.isTracked()) {
            return false;
        }
        byte[] none = new byte[(int) buffer.bytes()];
        return marks(buffer).mismatch(MemorySegment.ofArray(none)) < 0;
    }

    /// What a buffer holds once the launch is repeated: what nobody has written is as before.
    private byte[] after(Buffer buffer, byte[] before) {
        byte[] now = read(buffer);
        if (memory.isTracked()) {
            MemorySegment marks = marks(buffer);
            for (int i = 0; i < now.length; i++) {
                now[i] = marks.get(ValueLayout.JAVA_BYTE, i) == 0 ? before[i] : now[i];
            }
        }
        return now;
    }

    private MemorySegment marks(Buffer buffer) {
        return memory.written().asSlice(buffer.address() - Addresses.GLOBAL, buffer.bytes());
    }

    private byte[] read(Buffer buffer) {
        return memory.range(buffer.address(), buffer.bytes()).toArray(ValueLayout.JAVA_BYTE);
    }

    private String file(String name, byte[] contents) throws IOException {
        String file = name + ".npy";
        Npy.write(
                folder.resolve(file),
                new Tensor(
                        List.of(contents.length),
                        Codes.wrap(IntegerFormat.U8, contents.length, contents)));
        return file;
    }

    /// Writes what a launch ended with: the buffers that it changed are what is expected.
    private void after(Saved saved, Outcome outcome) throws IOException {
        Map<String, Object> fields = saved.fields;
        if (outcome.findings().isEmpty()) {
            List<Object> expected = new ArrayList<>();
            for (Map.Entry<Buffer, String> each : saved.names.entrySet()) {
                byte[] before = Objects.requireNonNull(saved.before.get(each.getKey()));
                byte[] now = after(each.getKey(), before);
                if (!Arrays.equals(now, before)) {
                    String file = file(saved.name + "." + each.getValue() + ".after", now);
                    expected.add(Map.of("buffer", each.getValue(), "file", file));
                }
            }
            fields.put("expect", expected);
            if (!outcome.output().isEmpty()) {
                fields.put("stdout", outcome.output());
            }
        } else {
            fields.put("note", "finds " + outcome.findings().getFirst().rule());
        }
        Files.writeString(
                folder.resolve(saved.name + ".json"),
                JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(fields) + "\n");
    }
}
