package dev.heddle.cuda.golden;

/// Draws the operands of cases of one form.
sealed interface InputSource permits FloatInputs, IntegerInputs {
    /// Draws one case.
    ///
    /// @param subclass which of the class's kinds; any number, taken modulo their count
    Operands draw(CaseClass caseClass, int subclass);

    /// How many kinds a class has.
    int subclasses(CaseClass caseClass);
}
