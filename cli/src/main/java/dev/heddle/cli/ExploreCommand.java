package dev.heddle.cli;

import dev.heddle.explorer.ErrorFigure;
import dev.heddle.explorer.Gallery;
import dev.heddle.explorer.PageServer;
import dev.heddle.explorer.SiteExport;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Legality;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/// `heddle explore`: the page, from a local server or as files.
final class ExploreCommand extends Command {
    @Override
    String help() {
        return """
        Serve the page of layouts on this machine alone, until interrupted.
        With --export, --gallery or --errors, write files and end.

        [OPCODE] ...  With --export: the forms of these opcodes instead.
        --port P  The port (default: any that is free).
        --export DIR  Write the page as a static site that works without a server, with all
            forms.
        --gallery DIR  Write the figures of the sparse forms, with an index.
        --errors DIR  Write the error figures of the approximate functions.

        Examples:
          heddle explore
          heddle explore --port 8080
          heddle explore --export site
          heddle explore --export site wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
          heddle explore --gallery docs/gallery
          heddle explore --errors docs/figures
        """;
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws InterruptedException {
        String export = value(given, "--export");
        String gallery = value(given, "--gallery");
        String errors = value(given, "--errors");
        String folder = export != null ? export : gallery != null ? gallery : errors;
        List<String> opcodes = words(given);
        if (export == null && !opcodes.isEmpty()) {
            throw new UsageError("OPCODE " + opcodes.getFirst() + ": only with --export DIR");
        }
        try {
            if (export != null) {
                out.println(
                        SiteExport.write(Path.of(export), forms(opcodes)) + " files in " + export);
            }
            if (gallery != null) {
                out.println(Gallery.write(Path.of(gallery)) + " figures in " + gallery);
            }
            if (errors != null) {
                out.println(ErrorFigure.writeAll(Path.of(errors)) + " figures in " + errors);
            }
        } catch (InvalidPathException e) {
            throw new UsageError("cannot write to " + folder + ": " + e.getMessage());
        } catch (IOException e) {
            throw new UsageError("cannot write to " + folder + ": " + InputFault.reason(e));
        }
        if (folder == null) {
            serve(given, out);
        }
        return 0;
    }

    private static List<Form> forms(List<String> opcodes) {
        return opcodes.isEmpty()
                ? Forms.all()
                : opcodes.stream().flatMap(ExploreCommand::forms).toList();
    }

    /// The forms of an opcode: of wgmma, with A from registers and with A from shared memory.
    private static Stream<Form> forms(String opcode) {
        Legality legality = Legality.ofOpcode(opcode);
        if (!legality.violations().isEmpty()) {
            throw new UsageError(legality.violations().getFirst().toString());
        }
        return legality.forms().stream();
    }

    private static void serve(ParseResult given, PrintWriter out) throws InterruptedException {
        String text = value(given, "--port");
        int port = text == null ? 0 : Numbers.parse("--port", text, 1, 1)[0];
        if (port < 0 || port > 65535) {
            throw new UsageError("--port " + port + ": expected 0..65535, 0 for any that is free");
        }
        try (PageServer server = PageServer.start(port)) {
            out.println("The page is at " + server.address() + " until you press Ctrl-C.");
            out.flush();
            new CountDownLatch(1).await();
        } catch (BindException e) {
            throw new UsageError("port " + port + " is taken: try another, or none for a free one");
        } catch (IOException e) {
            throw new UsageError("cannot listen on port " + port + ": " + e.getMessage());
        }
    }
}
