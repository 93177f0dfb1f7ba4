package dev.heddle.cli;

import dev.heddle.vm.Observer;

import java.io.PrintWriter;
import java.util.Locale;

/// One line on a terminal that says how far a long launch or conversion is; nothing where it is
/// short or nobody watches.
final class ProgressLine implements Observer, AutoCloseable {
    /// The launcher says so where standard error is a terminal.
    private static final String TERMINAL = "heddle.terminal";

    private static final long DELAY_MILLIS = 1000;
    private static final long PERIOD_MILLIS = 250;

    private final PrintWriter err;
    private final String unit;
    private final long start = System.nanoTime();
    private final Thread printer;
    private volatile long done;
    private volatile long total;

    private ProgressLine(PrintWriter err, String unit) {
        this.err = err;
        this.unit = unit;
        printer = Thread.ofPlatform().daemon().name("heddle-progress").unstarted(this::print);
    }

    /// Starts to watch.
    ///
    /// @param unit what is counted, as `CTAs`
    static ProgressLine start(PrintWriter err, String unit) {
        ProgressLine line = new ProgressLine(err, unit);
        if (Boolean.getBoolean(TERMINAL)) {
            line.printer.start();
        }
        return line;
    }

    @Override
    public void ended(long ctas, long all) {
        done = Math.max(done, ctas);
        total = all;
    }

    private void print() {
        boolean shown = false;
        try {
            Thread.sleep(DELAY_MILLIS);
            while (true) {
                err.print('\r' + text() + "\u001b[K");
                err.flush();
                shown = true;
                Thread.sleep(PERIOD_MILLIS);
            }
        } catch (InterruptedException e) {
            if (shown) {
                err.print("\r\u001b[K");
                err.flush();
            }
        }
    }

    /// `12 of 64 CTAs, 3.2 a second, 4 s`.
    String text() {
        double seconds = (System.nanoTime() - start) / 1e9;
        return total == 0
                ? String.format(Locale.ROOT, "running, %.0f s", seconds)
                : String.format(
                        Locale.ROOT,
                        "%d of %d %s, %.3g a second, %.0f s",
                        done,
                        total,
                        unit,
                        done / seconds,
                        seconds);
    }

    @Override
    public void close() {
        printer.interrupt();
        boolean interrupted = false;
        while (printer.isAlive()) {
            try {
                printer.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
