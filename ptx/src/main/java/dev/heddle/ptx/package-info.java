/// PTX text: lexer, parser, instruction records, printer, diagnostics.
@NullMarked
package dev.heddle.ptx;

import org.jspecify.annotations.NullMarked;
