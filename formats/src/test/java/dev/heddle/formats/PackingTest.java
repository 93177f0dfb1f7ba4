package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

@DisplayName("PTX ISA 5.2.3, 5.2.5, 9.7.14.5: where elements stand in a register")
final class PackingTest {
    private static final long SEED = 20260103;

    @ParameterizedTest
    @CsvSource({
        "f64, 64, 64, 1", "f32, 32, 32, 1", "tf32, 32, 32, 1", "f16, 16, 32, 2", "bf16, 16, 32, 2",
        "e4m3, 8, 32, 4", "ue8m0, 8, 32, 4", "ue4m3, 8, 32, 4", "e3m2, 8, 32, 4", "e2m3, 8, 32, 4",
        "e2m1, 4, 32, 8", "s32, 32, 32, 1", "u8, 8, 32, 4", "s4, 4, 32, 8", "b1, 1, 32, 32",
    })
    void dense(String name, int container, int register, int elements) {
        Packing packing = Packing.dense(Format.parse(name));
        assertThat(packing.containerBits()).isEqualTo(container);
        assertThat(packing.offset()).isZero();
        assertThat(packing.perRegister(register)).isEqualTo(elements);
    }

    @ParameterizedTest
    @CsvSource({"e2m1, 2, 5", "e3m2, 0, 5", "e2m3, 0, 5", "e4m3, 0, 7", "e5m2, 0, 7"})
    @DisplayName(".kind::f8f6f4 and .kind::mxf8f6f4: one element a byte")
    void padded(String name, int lowest, int highest) {
        Packing packing = Packing.padded(Format.parse(name));
        for (int element = 0; element < 4; element++) {
            assertThat(packing.lowBit(element)).isEqualTo(8 * element + lowest);
            assertThat(packing.highBit(element)).isEqualTo(8 * element + highest);
        }
    }

    @Test
    void twoFourBitCodesInAByteLowNibbleFirst() {
        Packing packing = Packing.dense(FloatFormat.E2M1);
        assertThat(packing.extract(0xBA, 0)).isEqualTo(0xA);
        assertThat(packing.extract(0xBA, 1)).isEqualTo(0xB);
        assertThat(packing.insert(packing.insert(0, 0, 0xA), 1, 0xB)).isEqualTo(0xBA);
    }

    @Test
    void paddedCodesStandInTheirByte() {
        Packing packing = Packing.padded(FloatFormat.E2M1);
        assertThat(packing.insert(0, 1, 0xF)).isEqualTo(0x3C00);
        assertThat(packing.extract(0xFFFF_C3FFL, 1)).isZero();
        assertThat(packing.insert(0xFFFF_FFFFL, 1, 0)).isEqualTo(0xFFFF_00FFL);
    }

    @Test
    void insertedElementsComeOutAndTheOthersStay() {
        RandomGenerator random = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED);
        for (Format format : Format.all()) {
            Packing packing = Packing.dense(format);
            for (int i = 0; i < 1000; i++) {
                long register = random.nextLong();
                int element = random.nextInt(packing.perRegister(64));
                long code = random.nextLong();
                long inserted = packing.insert(register, element, code);
                for (int other = 0; other < packing.perRegister(64); other++) {
                    assertThat(packing.extract(inserted, other))
                            .isEqualTo(
                                    other == element
                                            ? code & format.mask()
                                            : packing.extract(register, other));
                }
            }
        }
    }

    @Test
    void refusesCodesThatDoNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Packing(4, 8, 5))
                .withMessage("4 bits at bit 5 do not fit in a container of 8 bits");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Packing(4, 6, 0))
                .withMessage("container of 6 bits: expected 1, 2, 4, 8, 16, 32 or 64");
        assertThatIllegalArgumentException().isThrownBy(() -> Packing.padded(FloatFormat.F16));
    }
}
