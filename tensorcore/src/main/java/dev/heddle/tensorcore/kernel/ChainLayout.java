package dev.heddle.tensorcore.kernel;

/// What the machine code of f64 products depends on.
///
/// @param blocks  of eight rows
/// @param columns of D
/// @param k       multiply-adds of an element
/// @param a       how A comes from the registers, a vector for each block of rows and k
/// @param b       B likewise, column after column
/// @param c       C, a vector for each block of rows and column, and later D
/// @param d       how D goes there
record ChainLayout(int blocks, int columns, int k, Moves a, Moves b, Moves c, Moves d)
        implements ProductLayout {
    @Override
    public int words() {
        return c.target();
    }
}
