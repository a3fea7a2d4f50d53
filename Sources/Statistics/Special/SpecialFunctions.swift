/// Special functions that the tests, intervals and policies rest on.
///
/// Accuracy is stated per function as measured against 50-digit arithmetic; the elementary
/// functions come from the platform's C library through RealModule.
public enum SpecialFunctions {}
