import DecidingCore
import Events
import Testing

@testable import DecidingConfig

@Suite("Active configuration: values")
struct ActiveConfigValueTests {
  /// Asks the section of a live front and that of a front made from its log.
  private func ask(_ value: JSONValue?, _ check: (ConfigSection) -> Bool) throws -> Bool {
    let fixture = ConfigFixture()
    try fixture.config.set(configuration(["S": value.map { ["k": $0] } ?? [:]]))
    return [fixture.config, fixture.rebuilt()].allSatisfy { $0["S"].map(check) ?? false }
  }

  typealias Row = (id: String, value: JSONValue?, check: @Sendable (ConfigSection) -> Bool)

  private static let rows: [Row] = [
    ("MS-T9", "text", { $0.stringForKey("k") == "text" }),
    ("MS-T10", 3, { $0.stringForKey("k") == nil }),
    ("MS-T11", ["a": 1], { $0.arrayForKey("k") == nil }),
    ("MS-T11", ["a": 1], { $0.dictionaryForKey("k") == ["a": 1] }),
    ("MS-T12", [1, "b"], { $0.dictionaryForKey("k") == nil }),
    ("MS-T12", [1, "b"], { $0.arrayForKey("k") == [1, "b"] }),
    ("MS-T13", [1, 2], { $0.stringArrayForKey("k") == nil }),
    ("MS-13", ["a", 2], { $0.stringArrayForKey("k") == nil }),
    (
      "MS-T14", ["One string", "Another string"],
      { $0.stringArrayForKey("k") == ["One string", "Another string"] }
    ),
    ("MS-T15", "http://www.url.com/", { $0.urlForKey("k") == "http://www.url.com/" }),
    ("MS-T17", 10, { $0.integerForKey("k") == 10 }),
    ("MS-T19", "45", { $0.integerForKey("k") == 45 }),
    (
      "MS-T20", 1.2, { $0.floatForKey("k") == 1.2 && $0.int("k") == nil && $0.boolForKey("k") }
    ),
    ("MS-T21", 10.1, { $0.doubleForKey("k") == 10.1 }),
    ("MS-T22", 10.3, { $0.integerForKey("k") == 10 && $0.int("k") == nil }),
    ("MS-T23", true, { $0.boolForKey("k") }),
    ("MS-T23", false, { !$0.boolForKey("k") }),
    (
      "MS-V5", nil,
      { $0.integerForKey("k") == 0 && $0.int("k") == nil && $0.integerForKey("k", default: 5) == 5 }
    ),
    ("MS-V6", [], { $0.stringArrayForKey("k") == [] }),
    ("MS-V7", 10.0, { $0.int("k") == 10 }),
    ("MS-11", .null, { $0["k"] == JSONValue.null && $0.keys == ["k"] }),
    ("MS-14", "", { $0.urlForKey("k") == nil && $0.urlForKey("k", default: "/") == "/" }),
    ("MS-14", 3, { $0.urlForKey("k") == nil }),
    ("MS-14", "a b", { $0.urlForKey("k", default: "/") == "a%20b" }),
    ("MS-15", 1e300, { $0.integerForKey("k") == .max && $0.int("k") == nil }),
    ("MS-15", -1.9, { $0.integerForKey("k") == -1 }),
    ("MS-15", true, { $0.integerForKey("k") == 1 && $0.doubleForKey("k") == 1 }),
    ("MS-16", 1e300, { $0.floatForKey("k") == .greatestFiniteMagnitude }),
    ("MS-16", 0, { !$0.boolForKey("k") && $0.bool("k") == nil }),
    ("MS-17", [], { $0.integerForKey("k") == 0 && $0.integerForKey("k", default: 5) == 5 }),
    ("MS-17", [:], { $0.doubleForKey("k") == 0 && $0.doubleForKey("k", default: 5) == 5 }),
    ("MS-17", .null, { $0.floatForKey("k") == 0 && $0.floatForKey("k", default: 5) == 5 }),
    ("MS-17", .null, { !$0.boolForKey("k") && $0.boolForKey("k", default: true) }),
    ("MS-17", "abc", { $0.integerForKey("k", default: 5) == 5 }),
    ("MS-17", "abc", { !$0.boolForKey("k", default: true) }),
    ("MS-17", "12abc", { $0.integerForKey("k", default: 5) == 12 }),
    ("MS-17", 3, { $0.int("k") == 3 && $0.double("k") == 3 && $0.bool("k") == nil }),
    ("MS-17", true, { $0.bool("k") == true && $0.int("k") == nil && $0.double("k") == nil }),
    ("MS-17", "3", { $0.int("k") == nil && $0.double("k") == nil && $0.bool("k") == nil }),
    ("MS-17", 3, { $0.stringForKey("k", default: "d") == "d" }),
    ("MS-17", 3, { $0.arrayForKey("k", default: [1]) == [1] }),
    ("MS-17", 3, { $0.dictionaryForKey("k", default: ["a": 1]) == ["a": 1] }),
    ("MS-17", 3, { $0.stringArrayForKey("k", default: ["a"]) == ["a"] }),
  ]

  @Test("each value by each form", arguments: rows)
  func values(row: Row) throws {
    #expect(try ask(row.value, row.check), "\(row.id) \(row.value ?? "absent")")
  }

  @Test(
    "texts as whole numbers, numbers and truth values",
    arguments: [
      ("45", 45, true), ("45abc", 45, true), (" 45", 45, true), ("abc", 0, false), ("", 0, false),
      ("-7", -7, true), ("+7", 7, true), ("YES", 0, true), ("yes", 0, true), ("y", 0, true),
      ("true", 0, true), ("no", 0, false), ("NO", 0, false), ("0", 0, false), ("off", 0, false),
      ("on", 0, false), ("1", 1, true), ("+1", 1, true), ("9", 9, true), ("-1", -1, true),
    ])
  func texts(text: String, number: Int, flag: Bool) throws {
    #expect(
      try ask(.string(text)) {
        $0.integerForKey("k") == number && $0.doubleForKey("k") == Double(number)
          && $0.floatForKey("k") == Float(number) && $0.boolForKey("k") == flag
      })
  }

  @Test(
    "MS-10: a missing or wrong level on the way gives no value",
    arguments: [
      [:], ["settings": 3], ["settings": ["k": 3]], ["settings": ["k": [:]]],
      ["settings": ["other": ["value": 1]]],
    ] as [JSONValue])
  func levels(section: JSONValue) throws {
    let fixture = ConfigFixture()
    let json: JSONValue = ["meta": [:], "config_sections": ["S": section]]
    try fixture.config.set(ConfigurationState(json: json, at: Timestamp(microseconds: 0)))
    let read = try #require(fixture.config["S"])
    #expect(read["k"] == nil && read.stringForKey("k") == nil && read.integerForKey("k") == 0)
    #expect(read.json == section)
  }

  @Test("MS-18: keys are sorted by their bytes")
  func keys() throws {
    let state = try configuration(["S": ["b": 1, "a": 2, "é": 3, "B": 4, "10": 5, "9": 6]])
    #expect(state.section("S")?.keys == ["10", "9", "B", "a", "b", "é"])
  }

  @Test(
    "MS-14: URLs",
    arguments: [
      ("http://a.b/c d?q=ä#é f", "http://a.b/c%20d?q=%C3%A4#%C3%A9%20f"),
      ("http://a/%20%2f%zz%", "http://a/%20%2f%25zz%25"), ("mailto:a@b.c", "mailto:a@b.c"),
      ("images/a:b.png", "images/a:b.png"), ("?q=[1]", "?q=%5B1%5D"), ("#a#b", "#a%23b"),
      ("http://[::1]:80/x", "http://[::1]:80/x"), ("http://[::1", nil), ("http://[]/", nil),
      ("http://[::1]x/", nil), ("http://a:8x/", nil), ("http://a:/", "http://a:/"),
      ("http://u:p@h@ost:1/", "http://u:p%40h@ost:1/"), ("1http://a", nil), (":a", nil),
      ("a b:c", nil), ("//host/päth", "//host/p%C3%A4th"), (" ", "%20"),
      ("\u{0}\n\\^`{|}\"<>", "%00%0A%5C%5E%60%7B%7C%7D%22%3C%3E"), ("", nil), ("%", "%25"),
      ("%4", "%254"), ("http://", "http://"), ("http:", "http:"), ("a?b?c", "a?b?c"),
    ] as [(String, String?)])
  func urls(text: String, url: String?) {
    #expect(URLText.url(text) == url)
    // What was encoded is a URL already.
    if let url { #expect(URLText.url(url) == url) }
  }
}
