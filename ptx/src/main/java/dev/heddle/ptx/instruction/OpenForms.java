package dev.heddle.ptx.instruction;

/// Instructions whose qualifiers and operands this table leaves open: the products, which are in
/// [dev.heddle.isa.Manual]; `call`, whose operands depend on what is called; and what the table
/// does not have yet, of which only the names in operands are checked.
final class OpenForms {

    static final String TEXT =
            """
            9.7.12.5 CALL
            call;
            9.7.14.5.14 MATRIX_MULTIPLY
            mma;
            9.7.15.5.2 WARPGROUP_MULTIPLY
            wgmma.mma_async;
            9.7.9.14 MULTIMEM
            multimem.cp.async.bulk;
            multimem.cp.reduce.async.bulk;
            9.7.16 TENSOR_MEMORY
            tcgen05;
            """;

    private OpenForms() {}
}
