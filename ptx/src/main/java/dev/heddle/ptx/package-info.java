/// PTX text: lexer, parser, instruction records, diagnostics.
@NullMarked
package dev.heddle.ptx;

import org.jspecify.annotations.NullMarked;
