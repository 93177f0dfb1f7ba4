package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

@DisplayName("From every storage format to every other and back, nothing changes")
final class RoundTripTest {
    private static final StorageFormat DENSE = StorageFormats.named("dense");

    @TestFactory
    Stream<DynamicTest> everyPairOfFormatsIsExact() {
        return Format.all().stream()
                .flatMap(
                        element ->
                                StorageFormats.all().stream()
                                        .filter(f -> !f.dense() && f.formats().contains(element))
                                        .map(
                                                one ->
                                                        DynamicTest.dynamicTest(
                                                                element + " " + one,
                                                                () -> pairs(element, one))));
    }

    private static void pairs(Format element, StorageFormat one) {
        Random random = new Random(element.ptxName().hashCode() * 31L + one.name().hashCode());
        for (StorageFormat other : StorageFormats.all()) {
            if (other.dense()
                    || !other.formats().contains(element)
                    || other.arrangement(element).granularity()
                            != one.arrangement(element).granularity()) {
                continue;
            }
            MatrixType type =
                    common(
                            new MatrixType(
                                    1 + random.nextInt(80), 1 + random.nextInt(300), element),
                            one,
                            other);
            StoredMatrix dense = conforming(type, one.arrangement(element), random);
            StoredMatrix a = StoredMatrix.allocate(one, type);
            StoredMatrix b = StoredMatrix.allocate(other, type);
            StoredMatrix back = StoredMatrix.allocate(DENSE, type);
            new MatrixConversion(dense, a).run();
            new MatrixConversion(a, b).run();
            new MatrixConversion(b, back).run();

            assertThat(back.values().mismatch(dense.values()))
                    .as("%s by way of %s and %s", type, one, other)
                    .isEqualTo(-1);
        }
    }

    /// The least size that both formats hold.
    private static MatrixType common(MatrixType type, StorageFormat one, StorageFormat other) {
        MatrixType padded = type;
        for (int i = 0; i < 4; i++) {
            padded = StoredMatrix.padded(other, StoredMatrix.padded(one, padded));
        }
        return padded;
    }

    /// A matrix with at most as many codes other than zero in every chunk as it may have.
    static StoredMatrix conforming(MatrixType type, Arrangement arrangement, Random random) {
        Codes codes = Codes.zeros(type.format(), (long) type.rows() * type.columns());
        int unit = arrangement.granularity().unit();
        int units = arrangement.granularity().width() / unit;
        int width = units * unit;
        for (long chunk = 0; chunk < codes.length() / width; chunk++) {
            List<Integer> kept =
                    random.ints(0, units)
                            .distinct()
                            .limit(random.nextInt(units / 2 + 1))
                            .boxed()
                            .toList();
            for (int which : kept) {
                for (int i = 0; i < unit; i++) {
                    codes.set(chunk * width + (long) which * unit + i, random.nextLong());
                }
            }
        }
        return StoredMatrix.of(DENSE, type, MemorySegment.ofArray(codes.bytes()));
    }
}
