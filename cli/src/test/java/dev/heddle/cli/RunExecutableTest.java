package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("heddle run: a kernel inside an executable")
final class RunExecutableTest extends RunFixture {
    private static final String OTHER =
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry other() { ret; }\n";

    RunExecutableTest(@TempDir Path folder) {
        super(folder);
    }

    /// A PTX module, and the target that the fat binary says it is for.
    private record Member(int capability, String text) {
        byte[] bytes() {
            byte[] stored = text.getBytes(StandardCharsets.UTF_8);
            int payload = (stored.length + 7) / 8 * 8;
            ByteBuffer bytes = ByteBuffer.allocate(64 + payload).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putShort(0, (short) 1).putShort(2, (short) 0x101);
            bytes.putInt(4, 64).putLong(8, payload).putInt(28, capability);
            bytes.put(64, stored);
            return bytes.array();
        }
    }

    /// An ELF file with a section of fat binaries, one for each member.
    private void executable(Member... members) throws IOException {
        ByteBuffer elf = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        elf.putInt(0, 0x464c_457f).put(4, (byte) 2);
        int at = 64;
        for (Member member : members) {
            byte[] bytes = member.bytes();
            elf.putInt(at, 0xba55_ed50).putShort(at + 4, (short) 1).putShort(at + 6, (short) 16);
            elf.putLong(at + 8, bytes.length).put(at + 16, bytes);
            at += 16 + bytes.length;
        }
        byte[] names = "\0.nv_fatbin\0.shstrtab\0".getBytes(StandardCharsets.UTF_8);
        elf.put(at, names);
        int headers = (at + names.length + 7) / 8 * 8;
        elf.putLong(40, headers).putShort(60, (short) 3).putShort(62, (short) 2);
        elf.putInt(headers + 64, 1)
                .putLong(headers + 64 + 24, 64)
                .putLong(headers + 64 + 32, at - 64);
        elf.putInt(headers + 128, 12).putLong(headers + 128 + 24, at);
        elf.putLong(headers + 128 + 32, names.length);
        byte[] all = new byte[headers + 192];
        elf.get(0, all);
        Files.write(folder.resolve("app"), all);
    }

    @BeforeEach
    void aLaunchFile() throws IOException {
        Files.writeString(
                folder.resolve("launch.json"),
                launch("c.expected.npy")
                        .replace(
                                "\"ptx\": \"doubled.ptx\"",
                                "\"ptx\": \"app\", \"entry\": \"doubled\""));
    }

    @Test
    void theModuleIsTheOneWithTheKernel() throws IOException {
        executable(new Member(80, OTHER), new Member(80, PTX));
        Ran ran = Ran.heddle("run", path("launch.json"));
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("as expected: c, 100 elements, 100 with equal bits");
    }

    @Test
    void ofSeveralTargetsTheHighestIsTaken() throws IOException {
        String trap = PTX.replace("mov.u32 %r2, %ctaid.x;", "trap;");
        executable(new Member(80, PTX), new Member(90, trap));
        assertThat(Ran.heddle("run", path("launch.json")).out()).contains("app:2.compute_90.ptx:");
        Ran older = Ran.heddle("run", path("launch.json"), "--target", "compute_80");
        assertThat(older.code()).isZero();
    }

    @Test
    void itTakesOptionsAsAModuleDoes() throws IOException {
        executable(new Member(80, OTHER), new Member(80, PTX));
        List<String> words =
                List.of("run", path("app"), "--entry", "other", "--grid", "1", "--block", "1");
        assertThat(Ran.heddle(words.toArray(String[]::new)).out())
                .contains("ended without a finding");
    }

    @Test
    void aKernelThatIsNotThereOrTwiceIsRefused() throws IOException {
        executable(new Member(80, OTHER));
        Ran none = Ran.heddle("run", path("launch.json"));
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err() + none.out())
                .contains("none of the 1 PTX modules inside has kernel doubled");
        executable(new Member(80, PTX), new Member(80, PTX + "// another\n"));
        Ran two = Ran.heddle("run", path("launch.json"));
        assertThat(two.code()).isEqualTo(2);
        assertThat(two.err() + two.out()).contains("2 PTX modules inside have kernel doubled");
    }
}
