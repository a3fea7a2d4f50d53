/// Special functions that the tests, intervals and policies rest on.
///
/// Accuracy is stated per function as measured against 50-digit arithmetic. The elementary functions that they use are
/// those of the folder Elementary, made of IEEE 754 additions, multiplications, divisions and roots alone: the same
/// bits on every platform, with and without fused multiply-add.
public enum SpecialFunctions {}
