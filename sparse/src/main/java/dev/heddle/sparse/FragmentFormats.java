package dev.heddle.sparse;

import static dev.heddle.layout.Axis.CHUNK;
import static dev.heddle.layout.Axis.COLUMN;

import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Packing;
import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.isa.SwizzleMode;
import dev.heddle.layout.Axis;
import dev.heddle.layout.BitLayout;
import dev.heddle.sparse.StorageFormat.Parts;
import dev.heddle.sparse.TiledLayout.Order;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The formats that the instructions themselves read: registers lane after lane, and the images of
/// wgmma in shared memory. Their layouts are those of [Fragment] and [Metadata].
final class FragmentFormats {
    private static final Pattern BIT = Pattern.compile("([a-z]+)(\\d+)");
    private static final int LANE_BITS = 5;
    private static final int SLOT_BITS = 3;

    private FragmentFormats() {}

    /// Tile after tile along K, in each lane 0's registers first. The words of all selectors share
    /// a register, as kernels load them.
    static StorageFormat mma(String shape) {
        return new StorageFormat(
                "ptx-" + shape,
                "registers of mma.sp." + shape + ", lane after lane: ready for ld.global",
                "PTX ISA 9.7.14.6.2, the fragments of " + shape,
                Parts.TWO,
                format ->
                        form(Family.MMA_SP, shape, format)
                                .map(
                                        form ->
                                                arrangement(form)
                                                        .with(fragment(form.fragment(Role.A)))));
    }

    /// A in shared memory, its metadata in registers, by the modes of swizzling.
    static List<StorageFormat> wgmma() {
        List<StorageFormat> formats = new ArrayList<>();
        for (SwizzleMode mode :
                List.of(
                        SwizzleMode.BYTES_128,
                        SwizzleMode.BYTES_64,
                        SwizzleMode.BYTES_32,
                        SwizzleMode.NONE)) {
            String name = mode == SwizzleMode.NONE ? "plain" : "swizzle" + mode.rowBytes();
            formats.add(
                    new StorageFormat(
                            "wgmma-" + name,
                            "shared-memory image for wgmma.sp, K-major, " + mode,
                            "PTX ISA 9.7.15.5.1.2 and 9.7.15.6.1",
                            Parts.TWO,
                            format -> wgmma(mode, format)));
        }
        return formats;
    }

    private static Optional<Arrangement> wgmma(SwizzleMode mode, Format format) {
        int bits = Packing.dense(format).containerBits();
        return form(Family.WGMMA_SP, "m64n8k" + (bits < 8 ? 0 : 512 / bits), format)
                .map(
                        form ->
                                arrangement(form)
                                        .with(image(mode, bits))
                                        .requiring(64, 2 * mode.rowBytes() * Byte.SIZE / bits));
    }

    /// Rows of 16 to 128 bytes, eight of them a pattern, the patterns below one another, then the
    /// next bytes of every row.
    private static TiledLayout image(SwizzleMode mode, int elementBits) {
        int columnBits = Integer.numberOfTrailingZeros(mode.rowBytes() * Byte.SIZE / elementBits);
        return TiledLayout.of(
                        "row = %s; column = %s"
                                .formatted(
                                        StorageFormats.offsets(columnBits, 3),
                                        StorageFormats.offsets(0, columnBits)),
                        Order.DOWN,
                        COLUMN)
                .swizzled(mode.swizzle());
    }

    /// One form of each shape and type, those with N = 8: N says nothing about A.
    private static final class Samples {
        static final Map<Family, List<Form>> FORMS =
                Map.of(Family.MMA_SP, of(Family.MMA_SP), Family.WGMMA_SP, of(Family.WGMMA_SP));

        private static List<Form> of(Family family) {
            Map<String, Form> samples = new LinkedHashMap<>();
            for (Form form : Forms.of(family)) {
                if (form.shape().n() == 8 && !form.padded()) {
                    samples.putIfAbsent(form.shape() + " " + form.type(Role.A), form);
                }
            }
            return List.copyOf(samples.values());
        }
    }

    private static Optional<Form> form(Family family, String shape, Format format) {
        return Samples.FORMS.getOrDefault(family, List.of()).stream()
                .filter(form -> form.shape().toString().equals(shape))
                .filter(form -> form.type(Role.A) == format)
                .findFirst();
    }

    private static Arrangement arrangement(Form form) {
        Metadata metadata = form.metadata().orElseThrow();
        Granularity granularity = metadata.granularity();
        return Arrangement.of(granularity, words(metadata.layout()), IntegerFormat.S32)
                .requiring(
                        metadata.rows(),
                        words(metadata.layout()).tileColumns() * granularity.width());
    }

    private static TiledLayout fragment(Fragment fragment) {
        int elements = Integer.numberOfTrailingZeros(fragment.elements());
        return places(fragment.layout().toString(), Axis.ELEMENT, elements, COLUMN);
    }

    /// The chunks of later instructions, which other lanes supply, are to the right.
    private static TiledLayout words(BitLayout layout) {
        String text = layout.toString();
        int selector = text.indexOf("; selector = ");
        if (selector >= 0) {
            String lanes = text.substring(selector + "; selector = ".length());
            text = text.substring(0, selector).replace("chunk =", "chunk = " + lanes);
        }
        return places(text, Axis.SLOT, SLOT_BITS, CHUNK);
    }

    /// The layout with the bits of a place in memory: those of the lane's own entries lowest, then
    /// the lane, then the warp.
    private static TiledLayout places(String layout, Axis own, int ownBits, Axis across) {
        Matcher bit = BIT.matcher(layout);
        StringBuilder places = new StringBuilder();
        while (bit.find()) {
            Axis axis = Axis.valueOf(bit.group(1).toUpperCase(Locale.ROOT));
            int from = axis == own ? 0 : axis == Axis.LANE ? ownBits : ownBits + LANE_BITS;
            bit.appendReplacement(places, "offset" + (from + Integer.parseInt(bit.group(2))));
        }
        return TiledLayout.of(bit.appendTail(places).toString(), Order.RIGHT, across);
    }
}
