package dev.heddle.cuda.golden;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heddle.cuda.CaseInput;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.SharedMemory;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.golden.GoldenCase;
import dev.heddle.tensorcore.numerics.Generation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Draws the cases of a recording again, computes them, and compares with what the GPU made of
/// them. With `-Dheddle.fingerprints=REGEX` for the forms whose opcode contains a match (`.` for
/// all, which takes some minutes), else for a few.
@DisplayName("All 208 cases a form that an H200 ran")
final class RecordedFingerprintsTest {
    private static final long SEED = 20261121;
    private static final int CASES = 208;
    private static final int STRIDE = 67;
    private static final int LARGEST_N = 48;

    /// One line of the table.
    record Line(int id, String opcode, ASource source, int cases, Fingerprint fingerprint) {
        @Override
        public String toString() {
            return opcode + " (A from " + source.word() + ")";
        }
    }

    static Stream<Line> lines() throws IOException {
        String wanted = System.getProperty("heddle.fingerprints", "");
        if (!wanted.isEmpty()) {
            Pattern pattern = Pattern.compile(wanted);
            return table().stream().filter(line -> pattern.matcher(line.opcode()).find());
        }
        return table().stream()
                .filter(line -> line.id() % STRIDE == 3)
                .filter(line -> Form.of(line.opcode()).shape().n() <= LARGEST_N);
    }

    private static List<Line> table() throws IOException {
        try (BufferedReader text =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        RecordedFingerprintsTest.class.getResourceAsStream(
                                                "h200-2026-11-21.tsv")),
                                UTF_8))) {
            return text.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> List.of(line.split("\t", -1)))
                    .map(
                            columns ->
                                    new Line(
                                            Integer.parseInt(columns.get(0)),
                                            columns.get(1),
                                            columns.get(2).equals("reg")
                                                    ? ASource.REGISTERS
                                                    : ASource.SHARED_MEMORY,
                                            Integer.parseInt(columns.get(3)),
                                            new Fingerprint(columns.get(4), columns.get(5))))
                    .toList();
        }
    }

    @Test
    void everyFormThatAHopperExecutesWasRecorded() throws IOException {
        List<Line> table = table();
        List<Recording.NumberedForm> forms = Recording.executable();
        assertThat(table).hasSize(forms.size());
        for (int i = 0; i < table.size(); i++) {
            assertThat(table.get(i).id()).isEqualTo(forms.get(i).id());
            assertThat(table.get(i).opcode()).isEqualTo(forms.get(i).form().opcode());
            assertThat(table.get(i).source()).isEqualTo(forms.get(i).form().aSource());
            assertThat(table.get(i).cases()).isEqualTo(CASES);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lines")
    void theModelComputesEveryBitOfThem(Line line) {
        Form form = Form.of(line.opcode(), line.source());
        TensorCore core = TensorCore.of(form, Generation.SM_90);
        List<GoldenCase> cases =
                new CaseSource(form, line.id(), SEED)
                        .draw(CASES).stream()
                                .map(drawn -> drawn.ran(compute(core, drawn), true))
                                .toList();
        Fingerprint fingerprint = Fingerprint.of(cases);
        assertThat(fingerprint.inputs()).as("inputs drawn").isEqualTo(line.fingerprint().inputs());
        assertThat(fingerprint.results()).as("results").isEqualTo(line.fingerprint().results());
    }

    private static int[] compute(TensorCore core, DrawnCase drawn) {
        CaseInput input = drawn.input();
        Major majorA = drawn.immediates().transposeA() ? Major.MN : Major.K;
        Major majorB = drawn.immediates().transposeB() ? Major.MN : Major.K;
        int[] a = input.a();
        int[] b = input.b();
        if (core.form().family().warpgroup()) {
            SharedMemory memory = memory(input.shared().image());
            b = load(core, Role.B, input.shared().descriptorB(), majorB, memory);
            if (core.form().aSource() == ASource.SHARED_MEMORY) {
                a = load(core, Role.A, input.shared().descriptorA(), majorA, memory);
            }
        }
        int[] d = new int[core.words(Role.D)];
        core.execute(
                Operands.of(a, b, input.c())
                        .withMetadata(input.e(), drawn.immediates().selector())
                        .withImmediates(
                                input.shared().scaleD(),
                                drawn.immediates().scaleA() < 0,
                                drawn.immediates().scaleB() < 0)
                        .withMajors(majorA, majorB),
                d);
        return d;
    }

    private static int[] load(
            TensorCore core, Role role, long descriptor, Major major, SharedMemory memory) {
        int[] words = new int[core.sharedWords(role)];
        core.load(role, MatrixDescriptor.decode(descriptor), major, memory, words);
        return words;
    }

    private static SharedMemory memory(int[] image) {
        ByteBuffer bytes =
                ByteBuffer.allocate(image.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(image);
        return SharedMemory.of(bytes.array());
    }
}
