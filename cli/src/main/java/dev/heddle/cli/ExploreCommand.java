package dev.heddle.cli;

import dev.heddle.explorer.Gallery;
import dev.heddle.explorer.PageServer;
import dev.heddle.explorer.SiteExport;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/// `heddle explore`: the page, from a local server or as files.
final class ExploreCommand extends Command {
    ExploreCommand() {
        super("explore");
    }

    @Override
    void describe(CommandSpec spec) {
        spec.usageMessage()
                .description(
                        "Serve the page of layouts on this machine alone, until interrupted.",
                        "With --export or --gallery, write files and end.");
        spec.addOption(option("--port", "P", "The port (default: any that is free).").build());
        spec.addOption(option("--export", "DIR", "Write the page as a static site.").build());
        spec.addOption(
                option("--gallery", "DIR", "Write the figures of the sparse forms, with an index.")
                        .build());
        examples(
                spec,
                "  heddle explore",
                "  heddle explore --port 8080",
                "  heddle explore --export site",
                "  heddle explore --gallery docs/gallery");
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws InterruptedException {
        String export = value(given, "--export");
        String gallery = value(given, "--gallery");
        String folder = export != null ? export : gallery;
        try {
            if (export != null) {
                out.println(SiteExport.write(Path.of(export)) + " files in " + export);
            }
            if (gallery != null) {
                out.println(Gallery.write(Path.of(gallery)) + " figures in " + gallery);
            }
        } catch (IOException | InvalidPathException e) {
            throw new Refusal("cannot write to " + folder + ": " + e.getMessage());
        }
        if (folder == null) {
            serve(given, out);
        }
        return 0;
    }

    private static void serve(ParseResult given, PrintWriter out) throws InterruptedException {
        String text = value(given, "--port");
        int port = text == null ? 0 : Numbers.parse("--port", text, 1, 1)[0];
        if (port < 0 || port > 65535) {
            throw new Refusal("--port " + port + ": expected 0..65535, 0 for any that is free");
        }
        try (PageServer server = PageServer.start(port)) {
            out.println("The page is at " + server.address() + " until you press Ctrl-C.");
            out.flush();
            new CountDownLatch(1).await();
        } catch (BindException e) {
            throw new Refusal("port " + port + " is taken: try another, or none for a free one");
        } catch (IOException e) {
            throw new Refusal("cannot listen on port " + port + ": " + e.getMessage());
        }
    }
}
