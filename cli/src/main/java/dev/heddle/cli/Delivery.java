package dev.heddle.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// An output stream that remembers that a write failed: a writer over it swallows that, and a
/// truncated answer must not look like a whole one.
final class Delivery extends FilterOutputStream {
    private String reason = "";

    Delivery(OutputStream to) {
        super(to);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            reason = String.valueOf(e.getMessage());
            throw e;
        }
    }

    /// Whether a write failed for another reason than that the reader, such as `head`, went.
    boolean failed() {
        return !reason.isEmpty() && !reason.equals("Broken pipe");
    }

    String reason() {
        return reason;
    }
}
