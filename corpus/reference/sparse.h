// A matrix of which `mma.sp` keeps two of four elements (tf32: one of two; 4-bit types: two pairs of four pairs), and its metadata words.
#pragma once

#include <algorithm>

#include "case.h"

/// Which bits of which lane describe which chunk of a 16-row tile: the tables of PTX ISA 9.7.14.6.1, transcribed.
enum class Supply {
    ONE_OF_FOUR_LANES,   // t = selector: low half row g, high half row g + 8; four chunks
    TWO_OF_FOUR_HALVES,  // t = 2 * selector + u: the same, chunks 4u to 4u + 3
    TWO_OF_FOUR_ROWS,    // t = 2 * selector + u: the whole word is row g + 8u; eight chunks
    ALL_LANES            // t = u + 2v: row g + 8u, chunks 8v to 8v + 7
};

struct Sparse {
    size_t rows, columns;                  // of the full matrix
    std::vector<float> full;               // rows x columns, zero where not kept
    std::vector<float> kept;               // rows x columns / 2
    std::vector<uint8_t> nibbles;          // rows x chunks
    size_t chunk;                          // columns a nibble describes
};

enum class Order { ASCENDING, ANY };

/// Random kept elements in random places. `group` is how many neighbours one index stands for: 2 for 4-bit types, else 1.
inline Sparse makeSparse(Random &random, size_t rows, size_t columns, int low, int high, size_t group, Order order) {
    Sparse matrix{rows, columns, std::vector<float>(rows * columns), {}, {}, 4 * group};
    for (size_t row = 0; row < rows; row++) {
        for (size_t first = 0; first < columns; first += matrix.chunk) {
            int one = random.integer(0, 3), other = (one + random.integer(1, 3)) % 4;
            if (order == Order::ASCENDING && one > other) std::swap(one, other);
            matrix.nibbles.push_back(uint8_t(one | other << 2));
            for (int index : {one, other}) {
                for (size_t i = 0; i < group; i++) {
                    float value = float(random.integer(low, high));
                    matrix.kept.push_back(value);
                    matrix.full[row * columns + first + size_t(index) * group + i] = value;
                }
            }
        }
    }
    return matrix;
}

/// tf32 keeps one of two: nibble 0b0100 keeps the first, 0b1110 the second.
inline Sparse makeSparseTf32(Random &random, size_t rows, size_t columns, int low, int high) {
    Sparse matrix{rows, columns, std::vector<float>(rows * columns), {}, {}, 2};
    for (size_t row = 0; row < rows; row++) {
        for (size_t first = 0; first < columns; first += 2) {
            int index = random.integer(0, 1);
            float value = float(random.integer(low, high));
            matrix.nibbles.push_back(index == 0 ? 0b0100 : 0b1110);
            matrix.kept.push_back(value);
            matrix.full[row * columns + first + size_t(index)] = value;
        }
    }
    return matrix;
}

/// The words of all lanes: one block of 32 words serves as many consecutive instructions as there are selectors.
/// `instructionColumns` is K of the instruction; blocks are ordered by row tile, then along K.
inline std::vector<uint32_t> metadata(const Sparse &matrix, Supply supply, size_t instructionColumns) {
    size_t selectors = supply == Supply::ONE_OF_FOUR_LANES ? 4 : supply == Supply::ALL_LANES ? 1 : 2;
    size_t chunks = matrix.columns / matrix.chunk, perInstruction = instructionColumns / matrix.chunk;
    std::vector<uint32_t> words;
    for (size_t tile = 0; tile < matrix.rows / 16; tile++) {
        for (size_t block = 0; block < chunks / perInstruction / selectors; block++) {
            for (size_t lane = 0; lane < 32; lane++) {
                size_t g = lane / 4, t = lane % 4, u = t % 2, v = t / 2;
                uint32_t word = 0;
                for (size_t slot = 0; slot < 8; slot++) {
                    size_t selector = 0, row = g, at = slot;
                    switch (supply) {
                        case Supply::ONE_OF_FOUR_LANES: selector = t, row = g + slot / 4 * 8, at = slot % 4; break;
                        case Supply::TWO_OF_FOUR_HALVES: selector = v, row = g + slot / 4 * 8, at = 4 * u + slot % 4; break;
                        case Supply::TWO_OF_FOUR_ROWS: selector = v, row = g + 8 * u; break;
                        case Supply::ALL_LANES: row = g + 8 * u, at = 8 * v + slot; break;
                    }
                    size_t chunk = (block * selectors + selector) * perInstruction + at;
                    word |= uint32_t(matrix.nibbles[(tile * 16 + row) * chunks + chunk]) << 4 * slot;
                }
                words.push_back(word);
            }
        }
    }
    return words;
}

template <typename T> std::vector<T> as(const std::vector<float> &values) { return std::vector<T>(values.begin(), values.end()); }

/// 4-bit integers, two a byte, the first in the low half.
inline std::vector<uint8_t> packNibbles(const std::vector<float> &values) {
    std::vector<uint8_t> bytes(values.size() / 2);
    for (size_t i = 0; i < values.size(); i++) bytes[i / 2] |= uint8_t((int(values[i]) & 15) << i % 2 * 4);
    return bytes;
}
