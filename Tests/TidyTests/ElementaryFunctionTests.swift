import Testing

/// No source depends on the platform's elementary functions.
///
/// The C library's exp, log and the like differ in last digits from platform to platform, and between processors with
/// and without fused multiply-add; what can reach an output comes from Sources/Statistics/Elementary.
@Suite("Elementary functions")
struct ElementaryFunctionTests {
  @Test("no source calls the platform's elementary functions")
  func elementary() throws {
    let angles = ["sin", "cos", "tan"].flatMap { [$0, "a\($0)", "\($0)h", "a\($0)h"] } + ["atan2"]
    let exponents = ["exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "logb"]
    let others = ["pow", "cbrt", "hypot", "erf", "erfc", "gamma", "lgamma", "tgamma", "lgamma_r"]
    let names = Set((angles + exponents + others).flatMap { [$0, "\($0)f", "\($0)l"] })
    // Other modules are kept out by the test of the arrows; imports stand at the head of a file.
    let sources = try SourceFile.all(in: "Sources").filter {
      $0.lines.prefix(20).contains {
        $0.hasSuffix("import Platform") || $0.contains("import Foundation")
      }
    }
    #expect(sources.count > 20)
    for source in sources {
      for line in source.lines where Self.calls(names, in: line) {
        Issue.record("\(source.path): \(line)")
      }
    }
  }

  /// Whether a line calls one of some functions by its bare name, or by that of its module.
  private static func calls(_ names: Set<String>, in line: String) -> Bool {
    if line.drop(while: { $0 == " " }).hasPrefix("//") { return false }
    return line.split(separator: "(", omittingEmptySubsequences: false).dropLast().contains {
      part in
      let name = String(
        part.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
      guard names.contains(name) else { return false }
      let before = part.dropLast(name.count)
      if before.hasSuffix("Platform.") || before.hasSuffix("FoundationEssentials.") { return true }
      return !before.hasSuffix(".") && !before.hasSuffix("func ")
    }
  }

  @Test("calls of the platform's functions are told from others")
  func elementaryCalls() {
    let names: Set = ["exp", "logf"]
    for line in ["let x = exp(1)", "exp(1)", "  -Platform.exp(y)", "f(logf(2))", "[exp(1) + a(b)]"] {
      #expect(Self.calls(names, in: line))
    }
    for line in ["Double.exp(1)", "func exp(", "// exp(1)", "regexp(1)", "exp + (1)", ".exp(1)"] {
      #expect(!Self.calls(names, in: line))
    }
  }
}
