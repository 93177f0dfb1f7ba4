package dev.heddle.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;

@DisplayName("PTX ISA 13: the newest PTX of a driver")
final class PtxTargetTest {
    @ParameterizedTest
    @CsvSource({
        "12, 0, 8.0",
        "12, 4, 8.4",
        "12, 5, 8.5",
        "12, 6, 8.5",
        "12, 7, 8.6",
        "12, 8, 8.7",
        "12, 9, 8.8",
        "13, 0, 9.0",
        "13, 1, 9.1"
    })
    void aCudaVersionBringsItsPtx(int major, int minor, String ptx) {
        assertThat(PtxTarget.newest(new Driver.Version(major, minor))).isEqualTo(ptx);
    }

    @Test
    void aHopperDeviceIsWrittenForWithItsOwnInstructions(@TempDir Path folder) {
        assertThat(PtxTarget.of(FakeDriver.build(folder).load().device(0)))
                .isEqualTo(PtxTarget.SM_90A);
    }
}
