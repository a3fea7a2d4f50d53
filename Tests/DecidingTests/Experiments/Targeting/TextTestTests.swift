import DecidingCore
import Testing

@testable import DecidingExperiments

@Suite("Targeting: text tests")
struct TextTestTests {
  @Test(
    "KA-V15, KA-V16 and KA-52",
    arguments: [
      ("KA-V15", nil, .undefined, true), ("KA-V15", nil, .exact("x"), false),
      ("KA-V16", ["5", "abc"], .number(.greater, "4"), true), ("KA-V16", ["x"], .exact("x"), true),
      ("KA-V16", ["b"], .among(["a", "b"]), true), ("KA-V16", ["true"], .isTrue, true),
      ("KA-52", ["x"], .undefined, false), ("KA-52", nil, .isFalse, false),
      ("KA-52", nil, .contains(""), false), ("KA-52", ["abc"], .contains("bc"), true),
      ("KA-52", ["abc"], .contains("ac"), false), ("KA-52", ["abc"], .contains(""), true),
      ("KA-52", ["e\u{301}"], .exact("\u{E9}"), false), ("KA-52", ["T"], .isTrue, true),
      ("KA-52", ["1"], .isTrue, true), ("KA-52", ["yes"], .isTrue, false),
      ("KA-52", ["False"], .isFalse, true), ("KA-52", ["F"], .isFalse, true),
      ("KA-52", ["0"], .isFalse, true), ("KA-52", ["1"], .isFalse, false),
      ("KA-52", ["4"], .number(.equal, "4.0"), true), ("KA-52", ["4"], .number(.lower, "x"), false),
      ("KA-52", ["3"], .number(.lower, "4"), true), ("KA-52", ["c"], .among(["a", "b"]), false),
      ("KA-52", ["c"], .among([]), false), ("KA-52", [], .exact("c"), false),
      ("KA-52", ["order 77"], .regularExpression(TextPattern("\\d+")), true),
      ("KA-52", ["order"], .regularExpression(TextPattern("\\d+")), false),
      ("KA-52", ["order ("], .regularExpression(TextPattern("(")), false),
    ] as [(String, [String]?, SegmentTextTest, Bool)])
  func tests(id: String, values: [String]?, test: SegmentTextTest, isMet: Bool) {
    #expect(test.isMet(by: values) == isMet, "\(id)")
  }
}
