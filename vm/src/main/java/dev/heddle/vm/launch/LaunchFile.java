package dev.heddle.vm.launch;

import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.MachineKind;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Launches of the kernels of a module and what to expect of them: what a launch file states, or
/// the options of a command in its stead. The files it names are not read yet.
///
/// @param ptx the file of the module, relative to the launch file; empty where it does not say
/// @param buffers what each buffer holds, in the order of their addresses
/// @param starts at least one, in the order in which they run
/// @param expectations of buffers
/// @param stdout what the kernels should print, or null where nothing is expected of it
/// @param saves where to save a buffer after the last launch, by its name
/// @param conditions of every launch
/// @param machine to run on, or null where it does not say
public record LaunchFile(
        String ptx,
        Map<String, Contents> buffers,
        List<Start> starts,
        List<Expectation> expectations,
        @Nullable String stdout,
        Map<String, Save> saves,
        Launch.Conditions conditions,
        @Nullable MachineKind machine) {

    public LaunchFile {
        buffers = Collections.unmodifiableMap(new LinkedHashMap<>(buffers));
        starts = List.copyOf(starts);
        expectations = List.copyOf(expectations);
        saves = Collections.unmodifiableMap(new LinkedHashMap<>(saves));
    }

    /// One launch.
    ///
    /// @param place that describes it, for messages
    /// @param entry the kernel; empty for the only one of the module
    /// @param shape of the launch
    /// @param arguments in the order of the parameters
    /// @param variables what variables of the module hold before it, by name
    public record Start(
            String place,
            String entry,
            Launch.Shape shape,
            List<Argument> arguments,
            Map<String, Contents> variables) {
        public Start {
            arguments = List.copyOf(arguments);
            variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
        }
    }

    /// Where a buffer is saved.
    ///
    /// @param place that says so, for messages
    /// @param file as it is named
    /// @param anywhere whether it may lie outside the launch file's folder
    public record Save(String place, String file, boolean anywhere) {}

    /// Reads a launch file.
    ///
    /// @param json its text
    /// @param name by which messages call it
    /// @throws LaunchFileException where it is no JSON, or a field is unknown, missing or wrong
    public static LaunchFile parse(String json, String name) {
        return new LaunchFileReader(JsonFields.parse(json, name)).read();
    }

    /// Reads a launch file.
    ///
    /// @throws IOException where it cannot be read
    /// @throws LaunchFileException where it is no JSON, or a field is unknown, missing or wrong
    public static LaunchFile read(Path file) throws IOException {
        try {
            return parse(Files.readString(file), file.toString());
        } catch (CharacterCodingException e) {
            throw new LaunchFileException(file.toString(), "no JSON: the text is not UTF-8");
        }
    }

    /// The same under other conditions.
    public LaunchFile withConditions(Launch.Conditions other) {
        return new LaunchFile(ptx, buffers, starts, expectations, stdout, saves, other, machine);
    }
}
