/// Special functions for tests, intervals and policies.
///
/// Accuracy is stated per function as measured against 50-digit arithmetic. The underlying elementary functions are
/// those of the folder Elementary, built from IEEE 754 additions, multiplications, divisions and roots alone: the same
/// bits on every platform, with and without fused multiply-add.
public enum SpecialFunctions {}
