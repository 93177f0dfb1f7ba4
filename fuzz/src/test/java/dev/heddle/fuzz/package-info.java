/// What strangers may hand to Heddle, searched for crashes by Jazzer: any exception that a method
/// does not document is a finding, and so is a hang.
@NullMarked
package dev.heddle.fuzz;

import org.jspecify.annotations.NullMarked;
