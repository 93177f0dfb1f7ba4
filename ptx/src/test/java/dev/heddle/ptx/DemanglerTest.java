package dev.heddle.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import static java.util.Locale.ROOT;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;

/// The C++ names are those that GNU `c++filt` 2.40 gives.
@DisplayName("Itanium C++ ABI 5.1: names of kernels")
final class DemanglerTest {
    /// The type of a result, if any, and nothing that names end with.
    private static final Pattern RESULT = Pattern.compile("(.*[\\w>)*&\\]}])?");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    _Z16transpose_paddedI7double2EvPKT_PS1_ii | transpose_padded<double2>(double2 const*, double2*, int, int)
                    _Z16transpose_paddedIfEvPKT_PS0_ii | transpose_padded<float>(float const*, float*, int, int)
                    _Z16transpose_paddedIsEvPKT_PS0_ii | transpose_padded<short>(short const*, short*, int, int)
                    _Z2fnIPFiiEEvT_PFiiPfE | fn<int (*)(int)>(int (*)(int), int (*)(int, float*))
                    _Z3arrPA3_ishblatj | arr(int (*) [3], short, unsigned char, bool, long, signed char, unsigned short, unsigned int)
                    _Z4pair4PairIiiES_IiS_IffEEPS0_PS2_RKS0_ | pair(Pair<int, int>, Pair<int, Pair<float, float> >, Pair<int, int>*, Pair<int, Pair<float, float> >*, Pair<int, int> const&)
                    _Z4statPVi | stat(int volatile*)
                    _Z4userPi | user(int*)
                    _Z9templatesIjEvPKT_PS0_i | templates<unsigned int>(unsigned int const*, unsigned int*, int)
                    _Z9templatesIxEvPKT_PS0_i | templates<long long>(long long const*, long long*, int)
                    _ZN2ns2tkI6__halfEEvPT_PKS2_i | ns::tk<__half>(__half*, __half const*, int)
                    _ZN2ns2tkINS_6TraitsIdLi4ELb1EEEEEvPT_PKS3_i | ns::tk<ns::Traits<double, 4, true> >(ns::Traits<double, 4, true>*, ns::Traits<double, 4, true> const*, int)
                    _ZN2ns2tkIfEEvPT_PKS1_i | ns::tk<float>(float*, float const*, int)
                    _ZN2ns3varILi3ELj4ELb1EJiPfNS_6TraitsIiLi2ELb0EEEEEEvDpT2_ | ns::var<3, 4u, true, int, float*, ns::Traits<int, 2, false> >(int, float*, ns::Traits<int, 2, false>)
                    _ZN2ns3varILin1ELj4ELb0EJEEEvDpT2_ | ns::var<-1, 4u, false>()
                    _ZN2ns4deepINS_6TraitsIfLi8ELb1EEEEEvNT_5InnerEPS3_RKS3_ | ns::deep<ns::Traits<float, 8, true> >(ns::Traits<float, 8, true>::Inner, ns::Traits<float, 8, true>*, ns::Traits<float, 8, true> const&)
                    _ZN2ns5plainEP6float4yPKc6__halfPKPd | ns::plain(float4*, unsigned long long, char const*, __half, double* const*)
                    _ZN3cub17CUB_300001_SM_8006detail11EmptyKernelIvEEvv | cub::CUB_300001_SM_800::detail::EmptyKernel<void>()
                    """)
    void theNameIsThatOfCppFilt(String symbol, String name) {
        assertThat(Demangler.demangle(symbol).replace(" ", "")).isEqualTo(name.replace(" ", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "_Z",
        "_Z9999",
        "_ZN3abc",
        "_Z1fI",
        "_Z1fS9_",
        "_Z1fT_",
        "_Z1fS-1_",
        "_Z1fDTcl",
        "_Z1fIiEvT0_",
        "_Z1fi.",
        "_ZN",
        "_ZZ1fv",
        "kernel"
    })
    void whatIsNoNameStaysAsItIs(String symbol) {
        assertThat(Demangler.demangle(symbol)).isEqualTo(symbol);
    }

    /// Of programs and of the grammar; `c++filt` writes the type of the result before the name, and
    /// commas around packs that are empty.
    @Test
    void namesOfEveryKindEndAsThoseOfCppFilt() throws IOException {
        for (String line : lines()) {
            int space = line.indexOf(' ');
            String found = Demangler.demangle(line.substring(0, space)).replace(" ", "");
            String expected = line.substring(space).replace(" ", "");
            assertThat(expected.replace("<,", "<").replace(",,", ","))
                    .as(line)
                    .endsWith(found)
                    .satisfies(all -> assertThat(before(all, found)).matches(RESULT));
        }
    }

    private static String before(String all, String end) {
        return all.substring(0, all.length() - end.length());
    }

    private static List<String> lines() throws IOException {
        try (InputStream in = DemanglerTest.class.getResourceAsStream("names.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /// What g++ 12 makes of `template<class T> void g(T&&)`, called with a lambda of `f<int>`:
    /// `c++filt` takes the `S2_` in it, which is `T&&`, for that of `f`, and says `int&&`.
    @Test
    void aParameterIsThatOfTheFunctionThatItIsIn() {
        assertThat(Demangler.demangle("_Z1gIRZ1fIiEvOT_EUlvE_EvS2_"))
                .isEqualTo("g<f<int>(int&&)::{lambda()#1}&>(f<int>(int&&)::{lambda()#1}&)");
    }

    @Test
    void aHostileNameCostsNoMoreThanALongOne() {
        String deep = "_Z1f" + "P".repeat(100_000) + "i";
        assertThat(Demangler.demangle(deep)).isEqualTo(deep);
        StringBuilder doubled = new StringBuilder("_Z1fP1A");
        for (int i = 0; i < 60; i++) {
            String last = "S" + Integer.toString(2 * i, 36).toUpperCase(ROOT) + "_";
            doubled.append("1BI").append(last).append(last).append("E");
        }
        String symbol = doubled.toString();
        assertThat(Demangler.demangle(symbol.substring(0, 27)))
                .isEqualTo("f(A*, B<A*, A*>, B<B<A*, A*>, B<A*, A*>>)");
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(Demangler.demangle(symbol)).isEqualTo(symbol));
    }

    /// Names with some characters exchanged, left out or repeated.
    @Test
    void noNameIsTooMuch() throws IOException {
        Random random = new Random(1);
        List<String> lines = lines();
        for (int i = 0; i < 60_000; i++) {
            String line = lines.get(random.nextInt(lines.size()));
            StringBuilder name = new StringBuilder(line.substring(0, line.indexOf(' ')));
            for (int j = 0; j <= random.nextInt(3) && name.length() > 2; j++) {
                int at = 2 + random.nextInt(name.length() - 2);
                int end = Math.min(name.length(), at + 1 + random.nextInt(6));
                switch (random.nextInt(3)) {
                    case 0 -> name.setCharAt(at, line.charAt(random.nextInt(line.indexOf(' '))));
                    case 1 -> name.insert(at, name.substring(at, end));
                    default -> name.delete(at, Math.min(end, at + 2));
                }
                name.append("vEE", 0, random.nextInt(4));
            }
            assertThat(Demangler.demangle(name.toString())).isNotEmpty();
            assertThat(Demangler.nameOf(name.toString())).isNotNull();
        }
    }

    /// The first three are what `c++filt` gives; it knows nothing of the namespaces of nvcc.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    _ZZ22copy_wait_one_too_manyPK6float4PfiE5stage | copy_wait_one_too_many(float4 const*, float*, int)::stage | stage
                    _ZZ9block_sumE1s                               | block_sum::s | s
                    _ZZN2ns4kernIfEEvPT_E4tile                     | ns::kern<float>(float*)::tile | tile
                    _ZZ1fvE4tile_0                                 | f()::tile | tile
                    _ZN2ns4poolE                                   | ns::pool | ns::pool
                    _ZN34_INTERNAL_f7117b99_4_x_cu_04c4242a4tileE  | tile | tile
                    pool                                           | pool | pool
                    """)
    void variablesOfFunctionsAreCalledAsInTheSource(String symbol, String name, String variable) {
        assertThat(Demangler.demangle(symbol)).isEqualTo(name);
        assertThat(Demangler.variableOf(symbol)).isEqualTo(variable);
    }
}
