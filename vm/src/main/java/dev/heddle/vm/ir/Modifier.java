package dev.heddle.vm.ir;

/// What changes an operation besides its types and its rounding: the words of PTX.
public enum Modifier {
    HI("hi"),
    LO("lo"),
    WIDE("wide"),
    SAT("sat"),
    LEFT("l"),
    RIGHT("r"),
    CLAMP("clamp"),
    WRAP("wrap"),
    F4E("f4e"),
    B4E("b4e"),
    RC8("rc8"),
    ECL("ecl"),
    ECR("ecr"),
    RC16("rc16"),
    APPROX("approx"),
    FULL("full"),
    FTZ("ftz"),
    NAN("NaN");

    private final String word;

    Modifier(String word) {
        this.word = word;
    }

    /// As PTX writes it, without the dot.
    public String word() {
        return word;
    }
}
