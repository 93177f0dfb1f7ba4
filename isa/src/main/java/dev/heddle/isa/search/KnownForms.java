package dev.heddle.isa.search;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;

import java.util.List;

/// Every form, listed once: a page searches at every key.
final class KnownForms {
    static final List<Form> ALL = Forms.all();

    private KnownForms() {}
}
