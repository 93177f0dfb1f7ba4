package dev.heddle.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The C++ names are those that GNU `c++filt` 2.40 gives.
@DisplayName("Itanium C++ ABI 5.1: names of kernels")
final class DemanglerTest {
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
        "_Z1fPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPi",
        "kernel"
    })
    void whatIsNoNameStaysAsItIs(String symbol) {
        assertThat(Demangler.demangle(symbol)).isEqualTo(symbol);
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
