package dev.heddle.tensorcore.golden;

/// One record of a golden file.
public sealed interface GoldenRecord permits GoldenForm, GoldenCase {}
