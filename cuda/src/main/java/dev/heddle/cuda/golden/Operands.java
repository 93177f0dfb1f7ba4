package dev.heddle.cuda.golden;

/// The elements of A, B and C of a case, as codes in the order of their [OperandGrid].
@SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
record Operands(long[] a, long[] b, long[] c) {}
