/// Figures and the page.
///
/// A [dev.heddle.explorer.Figure] is the picture of one operand: cells coloured by lane, labelled
/// with lane, element, register and bits. `heddle layout --as svg`, the gallery and the page draw
/// with it:
///
/// ```
/// Form form = Form.of("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64");
/// Figure.of(form, OperandName.C, LayoutEntry.Selection.FIRST).svg();
/// ```
///
/// The page computes nothing about layouts. What it shows are answers of
/// [dev.heddle.explorer.Api], from [dev.heddle.explorer.PageServer] or from the files that
/// [dev.heddle.explorer.SiteExport] wrote.
@NullMarked
package dev.heddle.explorer;

import org.jspecify.annotations.NullMarked;
