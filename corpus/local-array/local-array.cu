// Arrays in local memory that are indexed by values known at run time only: a stack machine, and a small permutation.
// targets: compute_75 compute_80 compute_90a compute_120a
extern "C" __global__ void local_array(const unsigned char *programs, const int *inputs, int *results, int length) {
    int stack[16], top = 0;
    short places[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const unsigned char *program = programs + threadIdx.x * length;
    for (int i = 0; i < length; i++) {
        int operation = program[i] % 8, operand = program[i] / 8;
        switch (operation) {
            case 0: case 1: case 2: if (top < 16) stack[top++] = inputs[operand]; break;
            case 3: if (top > 1) { top--; stack[top - 1] += stack[top]; } break;
            case 4: if (top > 1) { top--; stack[top - 1] *= stack[top]; } break;
            case 5: if (top > 0) stack[top - 1] = -stack[top - 1]; break;
            case 6: if (top > operand) stack[top - 1] ^= stack[top - 1 - operand]; break;
            default: { short place = places[operand % 8]; places[operand % 8] = places[operand / 8]; places[operand / 8] = place; }
        }
    }
    int result = 0;
    for (int i = 0; i < top; i++) result = result * 7 + stack[i];
    for (int i = 0; i < 8; i++) result = result * 7 + places[i];
    results[threadIdx.x] = result;
}
