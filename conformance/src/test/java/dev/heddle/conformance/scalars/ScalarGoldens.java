package dev.heddle.conformance.scalars;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// What a device computed for each form: fingerprints of all results, and some results whole.
///
/// The file, gzipped, as [DataOutputStream] writes it: the words of [#source], seed, cases, number
/// of forms; of each form its text, 16 fingerprints of consecutive parts of the cases, and 32
/// results evenly apart, each with all its destinations.
///
/// @param source device, driver and date
/// @param seed of the operands
/// @param cases operands of each form
/// @param records of the forms
public record ScalarGoldens(String source, long seed, int cases, List<Golden> records) {
    private static final int PARTS = 16;
    private static final int SAMPLES = 32;

    /// What was recorded of one form.
    ///
    /// @param text of the form
    /// @param fingerprints of the parts
    /// @param samples results, destination after destination
    @SuppressWarnings("ArrayRecordComponent") // numbers of a file, never compared as a record
    public record Golden(String text, long[] fingerprints, long[] samples) {

        /// @param results the words of all destinations, those of one destination together
        static Golden of(ScalarForm form, long[] results, int cases) {
            int destinations = form.destinations().length();
            long[] fingerprints = new long[PARTS];
            long[] samples = new long[SAMPLES * destinations];
            for (int d = 0; d < destinations; d++) {
                for (int i = 0; i < cases; i++) {
                    int part = i / (cases / PARTS);
                    fingerprints[part] = mix(fingerprints[part] + results[d * cases + i]);
                }
                for (int i = 0; i < SAMPLES; i++) {
                    samples[d * SAMPLES + i] = results[d * cases + sampled(i, cases)];
                }
            }
            return new Golden(form.text(), fingerprints, samples);
        }

        /// What differs from this record, in words; empty where nothing does.
        String difference(ScalarForm form, long[] operands, long[] results, int cases) {
            Golden other = of(form, results, cases);
            for (int i = 0; i < samples.length; i++) {
                if (samples[i] != other.samples[i]) {
                    return "%s %s: %x, recorded %x"
                            .formatted(
                                    form,
                                    words(form, operands, sampled(i % SAMPLES, cases), cases),
                                    other.samples[i],
                                    samples[i]);
                }
            }
            for (int part = 0; part < PARTS; part++) {
                if (fingerprints[part] != other.fingerprints[part]) {
                    return "%s: among cases %d to %d"
                            .formatted(form, part * cases / PARTS, (part + 1) * cases / PARTS - 1);
                }
            }
            return "";
        }
    }

    private static int sampled(int sample, int cases) {
        return sample * (cases / SAMPLES) + sample % 7;
    }

    private static long mix(long word) {
        long z = (word + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        return z ^ z >>> 29;
    }

    /// The operands of one case, in hexadecimal.
    static String words(ScalarForm form, long[] operands, int index, int cases) {
        List<String> words = new ArrayList<>();
        for (int s = 0; s < form.sources().length(); s++) {
            words.add(Long.toHexString(operands[s * cases + index]));
        }
        return words.toString();
    }

    /// Writes the file.
    public void write(OutputStream to) throws IOException {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new GZIPOutputStream(to)))) {
            out.writeUTF(source);
            out.writeLong(seed);
            out.writeInt(cases);
            out.writeInt(records.size());
            for (Golden golden : records) {
                out.writeUTF(golden.text);
                for (long fingerprint : golden.fingerprints) {
                    out.writeLong(fingerprint);
                }
                out.writeByte(golden.samples.length / SAMPLES);
                for (long sample : golden.samples) {
                    out.writeLong(sample);
                }
            }
        }
    }

    /// Reads a file.
    public static ScalarGoldens read(InputStream from) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(new GZIPInputStream(from)))) {
            String source = in.readUTF();
            long seed = in.readLong();
            int cases = in.readInt();
            List<Golden> records = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                String text = in.readUTF();
                long[] fingerprints = words(in, PARTS);
                records.add(new Golden(text, fingerprints, words(in, in.readByte() * SAMPLES)));
            }
            return new ScalarGoldens(source, seed, cases, List.copyOf(records));
        }
    }

    private static long[] words(DataInputStream in, int count) throws IOException {
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = in.readLong();
        }
        return words;
    }
}
