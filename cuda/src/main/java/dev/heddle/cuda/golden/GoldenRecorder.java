package dev.heddle.cuda.golden;

import dev.heddle.cuda.CaseInput;
import dev.heddle.cuda.Context;
import dev.heddle.cuda.Device;
import dev.heddle.cuda.InstructionRunner;
import dev.heddle.cuda.MatrixInstruction;
import dev.heddle.cuda.MatrixInstruction.Immediates;
import dev.heddle.cuda.PtxTarget;
import dev.heddle.cuda.golden.Recording.NumberedForm;
import dev.heddle.isa.Form;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.golden.GoldenCase;
import dev.heddle.tensorcore.golden.GoldenForm;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Records golden vectors: runs drawn cases of each form on a GPU, twice, and hands them on.
///
/// Each form is a module of its own with an entry for each combination of immediate operands, and
/// one launch runs all cases of an entry. The second run starts from other output memory: a case
/// whose results differ, or that left memory unwritten, is marked as not deterministic.
public final class GoldenRecorder {
    private static final int FIRST_POISON = 0xdeadbeef;
    private static final int SECOND_POISON = 0x5a5a5a5a;

    private final Context context;
    private final Map<String, String> origin;

    /// Where recorded forms and cases go.
    public interface Sink {
        /// One form and all its cases.
        void accept(GoldenForm form, List<GoldenCase> cases);
    }

    /// Records on the device of a context.
    ///
    /// @param date the day to write into the files
    public GoldenRecorder(Context context, LocalDate date) {
        this.context = context;
        Device device = context.device();
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("device", device.name());
        lines.put("target", PtxTarget.of(device).name());
        device.driver().release().ifPresent(release -> lines.put("driver", release));
        lines.put("cuda", device.driver().version().toString());
        lines.put("date", date.toString());
        this.origin = lines;
    }

    /// Records all forms of a recording, one after the other.
    ///
    /// @throws dev.heddle.cuda.DriverException if the driver does not compile a form, or the chip
    ///     does not run it
    public void record(Recording recording, Sink sink) {
        for (NumberedForm form : recording.forms()) {
            record(form, recording, sink);
        }
    }

    private void record(NumberedForm numbered, Recording recording, Sink sink) {
        CaseSource source = new CaseSource(numbered.form(), numbered.id(), recording.seed());
        List<DrawnCase> drawn = source.draw(recording.cases());
        sink.accept(describe(numbered, recording.seed()), run(source.instruction(), drawn));
    }

    private List<GoldenCase> run(MatrixInstruction instruction, List<DrawnCase> drawn) {
        List<Immediates> variants = variants(drawn);
        GoldenCase[] cases = new GoldenCase[drawn.size()];
        try (InstructionRunner runner =
                new InstructionRunner(context, instruction, sharedWords(drawn), variants)) {
            for (Immediates variant : variants) {
                List<DrawnCase> same =
                        drawn.stream().filter(c -> c.immediates().equals(variant)).toList();
                List<CaseInput> inputs = same.stream().map(DrawnCase::input).toList();
                List<int[]> first = runner.run(variant, inputs, FIRST_POISON);
                List<int[]> second = runner.run(variant, inputs, SECOND_POISON);
                for (int i = 0; i < same.size(); i++) {
                    GoldenCase ran =
                            same.get(i)
                                    .ran(first.get(i), Arrays.equals(first.get(i), second.get(i)));
                    cases[ran.index()] = ran;
                }
            }
        }
        return List.of(cases);
    }

    /// The PTX modules that recording these forms loads, for an assembler to check beforehand.
    public static List<String> modules(Recording recording, PtxTarget target) {
        List<String> modules = new ArrayList<>();
        for (NumberedForm numbered : recording.forms()) {
            CaseSource source = new CaseSource(numbered.form(), numbered.id(), recording.seed());
            List<DrawnCase> drawn = source.draw(recording.cases());
            modules.add(
                    InstructionRunner.ptx(
                            source.instruction(), sharedWords(drawn), variants(drawn), target));
        }
        return modules;
    }

    private static List<Immediates> variants(List<DrawnCase> drawn) {
        return drawn.stream().map(DrawnCase::immediates).distinct().toList();
    }

    private static int sharedWords(List<DrawnCase> drawn) {
        return drawn.stream().mapToInt(c -> c.input().shared().image().length).max().orElse(0);
    }

    private GoldenForm describe(NumberedForm numbered, long seed) {
        Form form = numbered.form();
        MatrixInstruction instruction = MatrixInstruction.of(form);
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("id", Integer.toString(numbered.id()));
        lines.put("opcode", form.opcode());
        lines.put("kind", kind(instruction));
        lines.put("M", Integer.toString(form.shape().m()));
        lines.put("N", Integer.toString(form.shape().n()));
        lines.put("K", Integer.toString(form.shape().k()));
        lines.put("atype", form.type(Role.A).ptxName());
        lines.put("btype", form.type(Role.B).ptxName());
        lines.put("ctype", form.type(Role.C).ptxName());
        lines.put("dtype", form.type(Role.D).ptxName());
        lines.put("satfinite", form.satfinite() ? "1" : "0");
        lines.put("asource", form.aSource().word());
        lines.put("lanes", Integer.toString(form.lanes()));
        lines.put("nA", Integer.toString(instruction.words().a()));
        lines.put("nB", Integer.toString(instruction.words().b()));
        lines.put("nC", Integer.toString(instruction.words().c()));
        lines.put("nE", Integer.toString(instruction.metadataWords()));
        lines.put("nD", Integer.toString(instruction.words().d()));
        lines.put("selectors", form.metadata().map(Metadata::selectors).orElse(0).toString());
        lines.put("metadataLanesPerQuad", Integer.toString(suppliersPerQuad(form)));
        lines.putAll(origin);
        lines.put("seed", Long.toString(seed));
        return new GoldenForm(lines);
    }

    private static int suppliersPerQuad(Form form) {
        int quads = form.lanes() / 4;
        return form.metadata().map(metadata -> metadata.suppliers(0).size() / quads).orElse(0);
    }

    private static String kind(MatrixInstruction instruction) {
        return (instruction.warpgroup() ? "wgmma" : "mma") + (instruction.sparse() ? ".sp" : "");
    }
}
