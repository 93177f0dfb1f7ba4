/// Layouts as maps between named axes.
///
/// Two kinds cover everything in the tensor-core chapters of the manual. A [BitLayout] maps bits to
/// bits: which lane and element of a fragment hold which row and column, which lane and 4-bit field
/// of a metadata word describe which chunk. A [StridedLayout], with a [Swizzle] on top, maps a row
/// and a column to an address in shared memory.
///
/// A worked example, the fragment of A of `mma.m16n8k16` with `.f16` (PTX ISA 9.7.14.5.8, figure
/// 79):
///
/// ```
/// BitLayout a = BitLayout.EMPTY
///         .deal(2, ELEMENT, COLUMN)    // two neighbours of a row share a register
///         .deal(4, LANE, COLUMN)       // threadID_in_group
///         .deal(8, LANE, ROW)          // groupID
///         .deal(2, ELEMENT, ROW)       // rows 8..15
///         .deal(2, ELEMENT, COLUMN);   // columns 8..15
///
/// a.toString();                                       // row = element1 lane4 lane3 lane2; column
/// = element2 lane1 lane0 element0
/// a.apply(Point.of(LANE, 5, ELEMENT, 6));             // row 9, column 10
/// a.inverse().apply(Point.of(ROW, 9, COLUMN, 10));    // lane 5, element 6
/// ```
///
/// Layouts are for building tables and answering questions; nothing interprets one in a hot loop.
@NullMarked
package dev.heddle.layout;

import org.jspecify.annotations.NullMarked;
