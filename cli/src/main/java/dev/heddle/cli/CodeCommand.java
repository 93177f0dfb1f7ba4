package dev.heddle.cli;

import dev.heddle.explorer.code.CudaSource;
import dev.heddle.explorer.code.CuteNotation;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Legality;
import dev.heddle.isa.SourceInstruction;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// `heddle code`: a form as CUDA C++ or in the notation of CuTe.
final class CodeCommand extends Command {
    private static final List<String> KINDS = List.of("cuda", "cute");
    private static final List<String> SOURCES =
            Arrays.stream(ASource.values()).map(ASource::word).toList();

    @Override
    String help() {
        return """
        Write the code around an instruction: a file of CUDA C++ that loads the fragments,
            executes it once, stores the result, and of sparse forms packs the metadata on
            the host; or its layouts as CuTe writes them.

        OPCODE  The opcode, or a whole instruction as written in source.
        --as KIND  cuda, a file for nvcc (default), or cute.
        --a-from PLACE  Where wgmma has A from: reg (default) or smem.

        Examples:
          heddle code mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 > tile.cu
          nvcc -arch=sm_80 -ptx tile.cu
          heddle code mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --as cute
          heddle code wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 --a-from smem
        """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("--as", KINDS, "--a-from", SOURCES);
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        Form form = form(at(given, 0), value(given, "--a-from"));
        String kind = value(given, "--as");
        switch (kind == null ? "cuda" : kind) {
            case "cuda" -> out.print(CudaSource.of(form).text());
            case "cute" -> out.print(CuteNotation.of(form));
            default -> throw new UsageError("--as " + kind + ": expected cuda or cute");
        }
        return 0;
    }

    private static Form form(String text, @Nullable String source) {
        Form form = LayoutQuery.form(text);
        if (source == null) {
            return form;
        }
        if (!SOURCES.contains(source)) {
            throw new UsageError(
                    "--a-from " + source + ": expected " + String.join(" or ", SOURCES));
        }
        return Legality.of(SourceInstruction.parse(text)).forms().stream()
                .filter(each -> each.aSource().word().equals(source))
                .findFirst()
                .orElseThrow(() -> new UsageError(form + " takes no A from " + source));
    }
}
