package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.state.TensorCores;

import java.util.List;

/// What the machine code of warps that run by themselves names by numbers.
///
/// @param products that it calls
/// @param copies that it begins with checks
/// @param accesses to global memory that it looks at lane by lane
/// @param pointers of the kernel
record WarpTables(
        List<Collective.Multiply> products,
        List<Step.AsyncCopy> copies,
        LaneStamps.Accesses accesses,
        PointerParameters pointers) {
    WarpTables(MachineCodeEmitter.Result result, Code code, boolean checked) {
        this(
                result.products(),
                result.copies(),
                LaneStamps.Accesses.of(result, code),
                checked ? new PointerParameters(code) : PointerParameters.NONE);
    }

    /// Lists the products in a context, for the tensor cores of a worker.
    ///
    /// @param start of the list
    void listProducts(WarpContext context, int start, TensorCores cores) {
        for (int i = 0; i < products.size(); i++) {
            int at = start + WarpContext.PRODUCT_BYTES * i;
            ProductEmitter.function(cores, products.get(i))
                    .ifPresent(
                            function -> {
                                context.setLong(
                                        at + WarpContext.PRODUCT_CODE, function.code().address());
                                context.setLong(
                                        at + WarpContext.PRODUCT_MEMORY,
                                        function.memory().address());
                                context.setLong(
                                        at + WarpContext.PRODUCT_SELECTOR, function.selectorStep());
                            });
        }
    }
}
