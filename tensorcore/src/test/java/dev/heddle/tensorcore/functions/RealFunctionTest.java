package dev.heddle.tensorcore.functions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;

@DisplayName("The functions of real numbers, to sixty digits")
final class RealFunctionTest {
    /// Values of mpmath 1.3.0 with 140 digits, of `.f32` arguments.
    @ParameterizedTest
    @CsvSource({
        "EX2, 3e99999a, 1.23114442351781126895704519516731978442313667029020608228726",
        "EX2, c2fc0001, 1.17548813447981455734856354349912165508016372385127753221015e-38",
        "EX2, 4300aaaa, 5.40160778498258078830635170650454047924024486779991731243088e+38",
        "EX2, c3150000, 1.40129846432481707092372958328991613128026194187651577175707e-45",
        "EX2, 33800000, 1.00000004131479232779509541616094903284149428159859117561038",
        "LG2, 3f7fffff, -8.59913279941456217501339230898472097334030664004200488722044e-8",
        "LG2, 3f800001, 1.7198264061184463619369724795331236199724347058280859789557e-7",
        "LG2, 40400000, 1.58496250072115618145373894394781650875981440769248106045575",
        "LG2, 00000001, -1.49e+2",
        "LG2, 7f7fffff, 1.2799999991400867200585437824986607691015279026659693359958e+2",
        "RCP, 40400000, 3.33333333333333333333333333333333333333333333333333333333333e-1",
        "RCP, 00000001, 7.13623846352979940529142984724747568191373312e+44",
        "RCP, 7f7fffff, 2.93873605221803725101174630772593302014520301458340599426916e-39",
        "RSQRT, 40400000, 5.77350269189625764509148780501957455647601751270126876018602e-1",
        "RSQRT, 00000001, 2.67137389062815379708919230592051371394729498410861743692433e+22",
        "RSQRT, 7f7fffff, 5.4210110239862427815381319372317441941052605836967801033674e-20",
        "SQRT, 40000000, 1.41421356237309504880168872420969807856967187537694807317668",
        "SQRT, 00000001, 3.74339213057464375351281731596842644554000692079098021388165e-23",
        "SQRT, 7f7fffff, 1.84467435239537295359997558593659050526027999402872573571536e+19",
        "SIN, 3f800000, 8.41470984807896506652502321630298999622563060798371065672752e-1",
        "SIN, 40490fdb, -8.74227800037247452584216606738406423359951724962862111863896e-8",
        "SIN, 7f7fffff, -5.21876523333658540551505357019806722935726278007348858996733e-1",
        "SIN, 00000001, 1.40129846432481707092372958328991613128026194187651577175707e-45",
        "SIN, c7f12345, 8.86334944288857656066236589633614621670450707881512644201639e-1",
        "SIN, 6f79be45, 9.99999999999999998696259249333668382032342386814677220069193e-1",
        "COS, 3f800000, 5.40302305868139717400936607442976603732310420617922227670097e-1",
        "COS, 3fc90fdb, -4.37113900018624143885728940026521523166125321751554758307294e-8",
        "COS, 7f7fffff, 8.53021039830304158051791467692161107353094331336990089866119e-1",
        "COS, 00000001, 1.0",
        "COS, c7f12345, -4.63044670126401082506473819195229887604016977998888666834476e-1",
        "COS, 6f79be45, -1.61476979824762118760356546774862193955442773240115542409097e-9",
        "TANH, 3f800000, 7.61594155955764888119458282604793590412768597257936551596811e-1",
        "TANH, b8000001, -3.05175817535049005636420623170657931774095523384275921589162e-5",
        "TANH, 40fffff0, 9.99999774926241563394913872602167250284005738754853424415827e-1",
        "TANH, 3f000000, 4.62117157260009758502318483643672548730289280330113038552732e-1",
        "TANH, c2000000, -9.99999999999999999999999999679237821890272429404782593222977e-1"
    })
    void areThoseOfMpmath(RealFunction function, String argument, BigDecimal expected) {
        float x = Float.intBitsToFloat(Integer.parseUnsignedInt(argument, 16));
        BigDecimal value = function.at(new BigDecimal(x));
        assertThat(value.subtract(expected).abs())
                .isLessThanOrEqualTo(expected.abs().movePointLeft(58));
    }

    @ParameterizedTest
    @CsvSource({
        "EX2, -140, 140",
        "LG2, 1e-38, 1e38",
        "LG2, 0.99, 1.01",
        "RCP, -1e30, 1e30",
        "RSQRT, 1e-30, 1e30",
        "SQRT, 1e-30, 1e30",
        "SIN, -7, 7",
        "SIN, -1e30, 1e30",
        "COS, -7, 7",
        "COS, -1e30, 1e30",
        "TANH, -9, 9"
    })
    void theNearOnesAreAsNearAsTheySay(RealFunction function, double from, double to) {
        SplittableRandom random = new SplittableRandom(20_261_124);
        for (int i = 0; i < 300; i++) {
            float x = (float) random.nextDouble(from, to);
            BigDecimal exact = function.at(new BigDecimal(x));
            BigDecimal distance = new BigDecimal(function.near(x)).subtract(exact).abs();
            assertThat(distance.divide(exact.abs(), MathContext.DECIMAL32))
                    .as("%s of %s", function, x)
                    .isLessThanOrEqualTo(BigDecimal.TWO.pow(-50, MathContext.DECIMAL32));
        }
    }

    @Test
    void specialValuesAreThoseOfTheManual() {
        assertThat(RealFunction.RCP.near(-0.0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(RealFunction.RSQRT.near(-0.0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(RealFunction.LG2.near(0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(RealFunction.LG2.near(-1)).isNaN();
        assertThat(RealFunction.SQRT.near(-1)).isNaN();
        assertThat(RealFunction.SIN.near(Double.POSITIVE_INFINITY)).isNaN();
        assertThat(RealFunction.EX2.near(Double.NEGATIVE_INFINITY)).isZero();
        assertThat(RealFunction.TANH.near(Double.NEGATIVE_INFINITY)).isEqualTo(-1);
    }
}
