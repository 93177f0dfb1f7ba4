package dev.heddle.cuda.golden;

import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/// Draws the operands of cases of one form.
sealed interface InputSource permits FloatInputs, IntegerInputs {
    /// Draws one case.
    ///
    /// @param subclass which of the class's kinds; any number, taken modulo their count
    OperandCodes draw(CaseClass caseClass, int subclass);

    /// How many kinds a class has.
    int subclasses(CaseClass caseClass);

    /// So many codes, drawn one after the other.
    static long[] fill(int count, LongSupplier draw) {
        return LongStream.generate(draw).limit(count).toArray();
    }
}
