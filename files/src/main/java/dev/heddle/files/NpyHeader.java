package dev.heddle.files;

import java.util.List;
import java.util.stream.Collectors;

/// What the header of a `.npy` file says: a Python dictionary with three keys.
///
/// @param descr the element type as it is spelled: `<f2`
/// @param fortranOrder whether the first dimension is the contiguous one
/// @param shape the dimensions as the file gives them, first one first
record NpyHeader(String descr, boolean fortranOrder, List<Integer> shape) {

    NpyHeader {
        shape = List.copyOf(shape);
    }

    /// As NumPy writes it, without the padding.
    String print() {
        return "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"
                .formatted(descr, fortranOrder ? "True" : "False", tuple(shape));
    }

    /// The dimensions as a Python tuple: `(2, 3)`, `(2,)`, `()`.
    static String tuple(List<Integer> shape) {
        String inner = shape.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return "(" + inner + (shape.size() == 1 ? ",)" : ")");
    }
}
