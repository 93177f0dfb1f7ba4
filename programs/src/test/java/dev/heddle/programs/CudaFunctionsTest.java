package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Registrations;
import dev.heddle.programs.host.EntryPoints;
import dev.heddle.programs.host.HostCode;
import dev.heddle.programs.host.Resources;
import dev.heddle.programs.host.Settings;
import dev.heddle.programs.host.Shortcut;
import dev.heddle.vm.memory.Storage;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;

@DisplayName("functions that are calls of others")
final class CudaFunctionsTest {
    /// Those of a device that nobody has used.
    static EntryPoints functions() throws IOException {
        Device device =
                new Device(
                        Settings.ofProperties(),
                        Storage.allocated(true),
                        new Registrations(1),
                        new HostCode(1),
                        Shortcut.unused());
        return CudaFunctions.of(device, _ -> 0);
    }

    @Test
    void takeWhatTheyHandOnInTheTypesOfWhatTheyCall() throws Exception {
        EntryPoints functions = functions();
        for (String line : Resources.lines("aliases.txt")) {
            assertThat(functions.address(line.split("[ (]", 2)[0])).as(line).isNotZero();
        }
    }
}
