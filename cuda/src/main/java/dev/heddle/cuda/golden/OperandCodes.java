package dev.heddle.cuda.golden;

/// The elements of A, B and C of a case, as codes in the order of their [OperandGrid].
@SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
record OperandCodes(long[] a, long[] b, long[] c) {}
