package dev.heddle.sparse;

import static dev.heddle.isa.Granularity.ONE_OF_TWO;
import static dev.heddle.isa.Granularity.PAIRS_FOUR_OF_EIGHT;
import static dev.heddle.isa.Granularity.TWO_OF_FOUR;
import static dev.heddle.layout.Axis.CHUNK;
import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.sparse.TiledLayout.Order.BLOCKS;
import static dev.heddle.sparse.TiledLayout.Order.DOWN;
import static dev.heddle.sparse.TiledLayout.Order.RIGHT;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Packing;
import dev.heddle.isa.Granularity;
import dev.heddle.sparse.StorageFormat.Parts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Every storage format, each defined once.
///
/// The layouts of metadata count nibbles: `offset2` is bit 2 of a nibble's place in its tile. Read
/// `row = offset4 offset2 …` as: the highest bit of the row is bit 4 of the place.
public final class StorageFormats {
    private static final IntegerFormat U8 = IntegerFormat.U8;
    private static final IntegerFormat S16 = IntegerFormat.S16;
    private static final IntegerFormat S32 = IntegerFormat.S32;

    /// `reorder_meta` with 16-bit words, stored as `ColumnMajorInterleaved<2>`.
    private static final TiledLayout SM80_WORDS_OF_16 =
            TiledLayout.of(
                    "row = offset4 offset2 offset7 offset6 offset5; chunk = offset3 offset1"
                            + " offset0",
                    DOWN,
                    CHUNK);

    /// `reorder_meta` with 32-bit words, stored as `ColumnMajorInterleaved<2>`.
    private static final TiledLayout SM80_WORDS_OF_32 =
            TiledLayout.of(
                    "row = offset3 offset7 offset6 offset5; chunk = offset4 offset2 offset1"
                            + " offset0",
                    DOWN,
                    CHUNK);

    /// `TensorEAtom_MMA_F16` and `_TF32` of `Sm1xxGemmSparseConfig`, 128 rows x 32 chunks.
    private static final TiledLayout SM100_WIDE =
            TiledLayout.of(
                    "row = offset11 offset10 offset9 offset2 offset7 offset6 offset5;"
                            + " chunk = offset4 offset3 offset8 offset1 offset0",
                    DOWN,
                    CHUNK);

    /// `TensorEAtom_MMA_S8orF8F6F4` and `_F4`: rows of 32 chunks.
    private static final TiledLayout SM100_NARROW =
            TiledLayout.of(
                    "row = offset11 offset10 offset9 offset8 offset7 offset6 offset5;"
                            + " chunk = offset4 offset3 offset2 offset1 offset0",
                    DOWN,
                    CHUNK);

    /// cuSPARSELt 0.8.0 on sm_90, f16 and bf16: found by compressing on an H100.
    private static final TiledLayout CUSPARSELT_16 =
            TiledLayout.of(
                    "row = offset8 offset7 offset0 offset6 offset5 offset4;"
                            + " chunk = offset1 offset3 offset2",
                    RIGHT,
                    CHUNK);

    /// cuSPARSELt 0.8.0, the second metadata of f32 on sm_90 and that of f16 and bf16 for its sm_80
    /// kernels: the tiles of [#SM80_WORDS_OF_16] in blocks.
    private static final TiledLayout CUSPARSELT_SM80_16 =
            SM80_WORDS_OF_16.in(BLOCKS).padded(2 * SM80_WORDS_OF_16.tileColumns());

    /// cuSPARSELt 0.8.1, kernels of sm_80, s8: the tiles of [#SM80_WORDS_OF_32] in blocks.
    private static final TiledLayout CUSPARSELT_SM80_8 =
            SM80_WORDS_OF_32.in(BLOCKS).padded(2 * SM80_WORDS_OF_32.tileColumns());

    /// cuSPARSELt 0.8.0 on sm_90, s8 and e4m3: found by compressing on an H100.
    private static final TiledLayout CUSPARSELT_8 =
            TiledLayout.of(
                    "row = offset9 offset8 offset1 offset7 offset6 offset5;"
                            + " chunk = offset2 offset4 offset3 offset0",
                    RIGHT,
                    CHUNK);

    /// `_calculate_meta_reordering_scatter_offsets` of compressed-tensors, 16-bit words.
    private static final TiledLayout MARLIN_METADATA =
            TiledLayout.of(
                    "row = offset7 offset6 offset5 offset2 offset8 offset4;"
                            + " chunk = offset3 offset1 offset0",
                    DOWN,
                    CHUNK);

    /// `get_permutations_24(4)` on tiles of 64 output channels x 16 stored inputs.
    private static final TiledLayout MARLIN_WEIGHTS_OF_4 =
            TiledLayout.of(
                    "row = offset9 offset8 offset7 offset1 offset4 offset3;"
                            + " column = offset0 offset6 offset5 offset2",
                    DOWN,
                    COLUMN);

    /// `get_permutations_24(8)` on the same tiles.
    private static final TiledLayout MARLIN_WEIGHTS_OF_8 =
            TiledLayout.of(
                    "row = offset9 offset8 offset7 offset2 offset4 offset3;"
                            + " column = offset0 offset6 offset5 offset1",
                    DOWN,
                    COLUMN);

    private static final List<StorageFormat> ALL = define();

    private StorageFormats() {}

    /// All storage formats, the plain ones first.
    public static List<StorageFormat> all() {
        return ALL;
    }

    /// The format of that name.
    ///
    /// @throws InputException if there is none; the message lists the names
    public static StorageFormat named(String name) {
        for (StorageFormat format : ALL) {
            if (format.name().equals(name)) {
                return format;
            }
        }
        throw new InputException(
                "unknown storage format \"%s\": expected one of %s"
                        .formatted(
                                name,
                                ALL.stream()
                                        .map(StorageFormat::name)
                                        .collect(Collectors.joining(" "))));
    }

    private static List<StorageFormat> define() {
        List<StorageFormat> formats = new ArrayList<>();
        formats.add(
                new StorageFormat(
                        "dense",
                        "the matrix with its zeros, row by row",
                        "C order",
                        Parts.DENSE,
                        _ -> Optional.empty()));
        formats.add(
                new StorageFormat(
                        "indices",
                        "stored elements and 2-bit indices, row by row",
                        "PTX ISA 9.7.14.6.1, figures 118 to 120, without a fragment order",
                        Parts.TWO,
                        format -> sparse(format, (g, _) -> rowMajor(g))));
        formats.add(
                new StorageFormat(
                        "bitmask",
                        "compressed-tensors, sparse-24-bitmask: stored elements and a bit an"
                                + " element",
                        "vllm-project/compressed-tensors 0.13, sparse_24_bitmask.py and"
                                + " pack_bitmasks",
                        Parts.BITMASK,
                        format ->
                                sparse(format, (g, _) -> rowMajor(g).with(Arrangement.Coding.MASK))
                                        .filter(a -> a.granularity() == TWO_OF_FOUR)));
        formats.add(
                new StorageFormat(
                        "cutlass-sm80",
                        "CUTLASS 2.x, E as ColumnMajorInterleaved<2> for mma.sp on sm_80 and later",
                        "NVIDIA/cutlass 4.7.0, tools/util/include/cutlass/util/host_reorder.h",
                        Parts.TWO,
                        format -> sparse(format, StorageFormats::sm80)));
        formats.add(sm90(32));
        formats.add(sm90(64));
        formats.add(sm90(128));
        formats.add(
                new StorageFormat(
                        "cutlass-sm100",
                        "CUTLASS 3.x, TensorE of sm_100 and sm_120 kernels",
                        "NVIDIA/cutlass 4.7.0, sm1xx_sparse_config.inl",
                        Parts.TWO,
                        format ->
                                sparse(
                                        format,
                                        (g, bits) ->
                                                cutlass3(
                                                        g,
                                                        bits >= 16 ? SM100_WIDE : SM100_NARROW))));
        formats.add(
                new StorageFormat(
                        "torch-cutlass",
                        "PyTorch, SparseSemiStructuredTensor with the CUTLASS back end",
                        "torch 2.13.0, torch/sparse/_semi_structured_conversions.py",
                        Parts.TWO,
                        StorageFormats::torch));
        formats.add(
                new StorageFormat(
                        "cusparselt",
                        "cuSPARSELt's compressed matrix on sm_90, also PyTorch's cuSPARSELt back"
                                + " end",
                        "measured: cuSPARSELt 0.8.0 in torch 2.11.0+cu130 on an H100, 2026-11-22",
                        Parts.BLOB,
                        StorageFormats::cusparselt));
        formats.add(
                new StorageFormat(
                        "cusparselt-sm80",
                        "cuSPARSELt's compressed matrix for its sm_80 kernels",
                        "measured: cuSPARSELt 0.8.1, its sm_80 kernels run as PTX, 2026-11-22",
                        Parts.BLOB,
                        StorageFormats::cusparseltOfSm80));
        formats.add(
                new StorageFormat(
                        "marlin-24",
                        "Marlin 2:4 as compressed-tensors writes it: quantized weights and"
                                + " metadata",
                        "vllm-project/compressed-tensors 0.13, marlin_24.py, permutations_24.py,"
                                + " semi_structured_conversions.py",
                        Parts.MARLIN,
                        StorageFormats::marlin));
        for (String shape : List.of("m16n8k8", "m16n8k16", "m16n8k32", "m16n8k64", "m16n8k128")) {
            formats.add(FragmentFormats.mma(shape));
        }
        formats.addAll(FragmentFormats.wgmma());
        return List.copyOf(formats);
    }

    /// What a library has for elements of a granularity and a width.
    @FunctionalInterface
    interface ByWidth {
        Arrangement of(Granularity granularity, int elementBits);
    }

    /// The arrangement of a format that the sparse instructions multiply.
    static Optional<Arrangement> sparse(Format format, ByWidth arrangement) {
        int bits = Packing.dense(format).containerBits();
        boolean multiplied =
                switch (format) {
                    case FloatFormat f ->
                            switch (f) {
                                case F32, TF32, BF16, F16, E5M2, E4M3, E3M2, E2M3, E2M1 -> true;
                                case F64, UE8M0, UE4M3 -> false;
                            };
                    case IntegerFormat i ->
                            switch (i) {
                                case S8, U8, S4, U4 -> true;
                                case S64, U64, S32, U32, S16, U16, B1 -> false;
                            };
                };
        if (!multiplied) {
            return Optional.empty();
        }
        Granularity granularity =
                bits == 32 ? ONE_OF_TWO : bits == 4 ? PAIRS_FOUR_OF_EIGHT : TWO_OF_FOUR;
        return Optional.of(arrangement.of(granularity, bits));
    }

    private static Arrangement rowMajor(Granularity granularity) {
        // A row of metadata begins with a byte of its own
        return Arrangement.of(granularity, TiledLayout.rows(CHUNK, 2), U8);
    }

    private static Arrangement sm80(Granularity granularity, int bits) {
        return bits >= 16
                ? Arrangement.of(granularity, SM80_WORDS_OF_16, S16)
                        .requiring(32, 8 * granularity.width())
                : Arrangement.of(granularity, SM80_WORDS_OF_32, S32)
                        .requiring(16, 16 * granularity.width());
    }

    private static Arrangement cutlass3(Granularity granularity, TiledLayout metadata) {
        Fill fill = granularity == ONE_OF_TWO ? Fill.ONE_OF_TWO : Fill.CUTLASS;
        return Arrangement.of(granularity, metadata, U8).with(fill, 0b0000);
    }

    private static StorageFormat sm90(int tileK) {
        return new StorageFormat(
                "cutlass-sm90-k" + tileK,
                "CUTLASS 3.x, TensorE of sm_90 kernels whose tile has K = " + tileK,
                "NVIDIA/cutlass 4.7.0, sm90_sparse_config.inl with MinTileShapeK = " + tileK,
                Parts.TWO,
                format -> {
                    Optional<Arrangement> found =
                            sparse(format, (g, bits) -> cutlass3(g, sm90(bits, tileK, g)));
                    boolean wgmma =
                            Packing.dense(format).containerBits() > 4
                                    && format.bits() != 6
                                    && tileK >= 512 / Packing.dense(format).containerBits();
                    return found.filter(_ -> wgmma);
                });
    }

    /// `TensorEAtom` of `Sm90GemmSparseConfig`. Wide elements: four chunks, row bit 3, the blocks
    /// along K, row bits 0 to 2, the second half of a block, row bits 4 and 5.
    private static TiledLayout sm90(int bits, int tileK, Granularity granularity) {
        int chunks = Integer.numberOfTrailingZeros(tileK / granularity.width());
        if (bits < 16) {
            return TiledLayout.of(
                    "row = %s; chunk = %s".formatted(offsets(chunks, 6), offsets(0, chunks)),
                    DOWN,
                    CHUNK);
        }
        int blocks = chunks - 3;
        return TiledLayout.of(
                "row = %s offset2 %s; chunk = %s offset%d offset1 offset0"
                        .formatted(
                                offsets(blocks + 7, 2),
                                offsets(blocks + 3, 3),
                                offsets(3, blocks),
                                blocks + 6),
                DOWN,
                CHUNK);
    }

    /// `offset5 offset4 offset3` for three from 3 on.
    static String offsets(int first, int count) {
        List<String> bits = new ArrayList<>();
        for (int bit = first + count - 1; bit >= first; bit--) {
            bits.add("offset" + bit);
        }
        return String.join(" ", bits);
    }

    private static Optional<Arrangement> torch(Format format) {
        boolean known =
                format == FloatFormat.F16
                        || format == FloatFormat.BF16
                        || format == FloatFormat.F32
                        || format == IntegerFormat.S8;
        return sparse(format, StorageFormats::sm80)
                .filter(_ -> known)
                .map(
                        found -> {
                            boolean ofTwo = found.granularity() == ONE_OF_TWO;
                            int rows = found.word() == S32 ? 16 : 32;
                            return found.with(ofTwo ? Fill.ONE_OF_TWO_LAST : Fill.PYTORCH)
                                    .requiring(rows, found.columnMultiple());
                        });
    }

    private static Optional<Arrangement> cusparselt(Format format) {
        if (format == FloatFormat.F16 || format == FloatFormat.BF16) {
            return Optional.of(
                    Arrangement.of(TWO_OF_FOUR, CUSPARSELT_16, U8)
                            .with(Fill.LAST)
                            .requiring(16, 16));
        }
        if (format == FloatFormat.F32 || format == FloatFormat.TF32) {
            // Half of what tf32 drops is added, so that dropping rounds
            return Optional.of(
                    Arrangement.of(ONE_OF_TWO, CUSPARSELT_16, U8)
                            .with(Fill.ONE_OF_TWO_LAST)
                            .adding(0x1000)
                            .repeating(CUSPARSELT_SM80_16)
                            .requiring(8, 8));
        }
        if (format == FloatFormat.E4M3 || format == IntegerFormat.S8) {
            return Optional.of(
                    Arrangement.of(TWO_OF_FOUR, CUSPARSELT_8, U8)
                            .with(Fill.LAST)
                            .requiring(32, 32));
        }
        return Optional.empty();
    }

    private static Optional<Arrangement> cusparseltOfSm80(Format format) {
        TiledLayout metadata =
                format == IntegerFormat.S8
                        ? CUSPARSELT_SM80_8
                        : format == FloatFormat.F16 || format == FloatFormat.BF16
                                ? CUSPARSELT_SM80_16
                                : null;
        return Optional.ofNullable(metadata)
                .map(
                        layout ->
                                Arrangement.of(TWO_OF_FOUR, layout, U8)
                                        .with(Fill.LAST)
                                        .requiring(128, 4 * layout.padding()));
    }

    private static Optional<Arrangement> marlin(Format format) {
        Arrangement metadata =
                Arrangement.of(TWO_OF_FOUR, MARLIN_METADATA, S16)
                        .with(Fill.PYTORCH)
                        .requiring(64, 32);
        // The kernel takes unsigned codes: what it subtracts again is the top bit
        return format == IntegerFormat.S4
                ? Optional.of(metadata.with(MARLIN_WEIGHTS_OF_4).adding(0x8))
                : format == IntegerFormat.S8
                        ? Optional.of(metadata.with(MARLIN_WEIGHTS_OF_8).adding(0x80))
                        : Optional.empty();
    }
}
