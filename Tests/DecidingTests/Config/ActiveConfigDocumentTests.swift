import DecidingCore
import Events
import Testing

@testable import DecidingConfig

@Suite("Active configuration: documents")
struct ActiveConfigDocumentTests {
  typealias Row = (id: String, text: String, error: ConfigError)

  private static let time = Timestamp(microseconds: 1_345_491_360_000_000)
  private static let example =
    """
    {"meta": {"format_version_string": "1.0", "creation_time": "2012-08-20T19:36Z", "group": "B"},
     "config_sections": {"AppFeatures": {"settings": {"ChatEnabled": {"value": true}, "Retries": {"value": 3}}}}}
    """

  @Test(
    "what is no document",
    arguments: [
      ("MS-T2", "1", .notAnObject(path: "")),
      ("MS-T3", #"{"meta": {}, "config_sections": "x"}"#, .notAnObject(path: "config_sections")),
      ("MS-T4", #"{"meta": 1, "config_sections": {}}"#, .notAnObject(path: "meta")),
      ("MS-T8", #"{"format_version": 3}"#, .missing(path: "meta")),
      ("MS-V1", "{}", .missing(path: "meta")),
      ("MS-V2", #"{"meta": {}}"#, .missing(path: "config_sections")),
      ("MS-2", "null", .notAnObject(path: "")),
      ("MS-2", "[]", .notAnObject(path: "")),
      ("MS-2", #"{"meta": null, "config_sections": {}}"#, .notAnObject(path: "meta")),
    ] as [Row])
  func invalid(row: Row) async throws {
    #expect(throws: row.error, "\(row.id)") { try ConfigurationState(parsing: row.text) }
    let fixture = ConfigFixture()
    let outcome = try await fixture.download(try JSONValue(parsing: row.text))
    #expect(outcome == .ignored(.invalid(row.error)), "\(row.id)")
    #expect(fixture.world.events.isEmpty)
    fixture.expectRebuilt()
  }

  @Test("MS-T1: no document is a valid empty configuration")
  func noDocument() throws {
    let state = try ConfigurationState(json: nil, at: Self.time)
    #expect(state.formatVersion == "1.0" && state.creationTime == Self.time)
    #expect(state.meta.isEmpty && state.sectionNames.isEmpty)
    #expect(state == ConfigurationState(at: Timestamp(microseconds: 0)))
  }

  @Test("MS-T5, MS-5, MS-25: all meta is readable, and a section that is a text is empty")
  func oddSection() throws {
    let text = """
      {"meta": {"format_version_string": "1", "creation_time": "2012-08-20T19:36Z", "x": [null]},
       "config_sections": {"SomeKey": "SomeValue"}}
      """
    let fixture = ConfigFixture()
    try fixture.config.set(try ConfigurationState(parsing: text))
    for config in [fixture.config, fixture.rebuilt()] {
      #expect(config.formatVersion == "1" && config.creationTime == Self.time)
      #expect(config.meta["x"] == [.null] && config.meta.count == 3)
      #expect(config["SomeKey"]?.keys == [] && config["SomeKey"]?["a"] == nil)
      #expect(config["SomeValue"] == nil)
    }
    #expect(throws: ConfigError.notAnObject(path: "config_sections.SomeKey")) {
      try ConfigurationState(parsing: text, mode: .strict)
    }
  }

  @Test("MS-T6: written as JSON and read again it is equal")
  func roundTrip() throws {
    let state = try ConfigurationState(parsing: Self.example, mode: .strict)
    let again = try ConfigurationState(parsing: state.json.description, mode: .strict)
    #expect(again == state && again.creationTime == state.creationTime)
    #expect(again.section("AppFeatures")?.int("Retries") == 3)
    let empty = ConfigurationState(at: Self.time)
    #expect(try ConfigurationState(parsing: empty.json.description) == empty)
  }

  @Test("MS-V3, MS-8: a comma too many is refused with its place, unless it is tolerated")
  func commas() async throws {
    let text = Self.example.replacing("}}}}}", with: "}}},}}")
    let place = ConfigError.invalidJSON(
      line: 2, column: 109, byte: 203, reason: "a comma stands before '}'; remove the comma")
    #expect(throws: place) { try ConfigurationState(parsing: text) }
    let tolerant = try ConfigurationState(parsing: text + "// the end", .tolerant)
    #expect(tolerant.section("AppFeatures")?.bool("ChatEnabled") == true)

    let bytes = Array(text.utf8)
    await #expect(throws: place) {
      try await JSONConfigDownloader { _ in bytes }.requestConfiguration(user: nil)
    }
    let json = try await JSONConfigDownloader(parsing: .tolerant) { _ in bytes }
      .requestConfiguration(user: nil)
    #expect(json == tolerant.json)
    #expect(try await JSONConfigDownloader { _ in [] }.requestConfiguration(user: "u") == nil)
  }

  @Test("MS-V4: without a version it is empty, and strictly an error")
  func noVersion() throws {
    let json: JSONValue = ["meta": ["creation_time": "2012-08-20T19:36Z"], "config_sections": [:]]
    #expect(try ConfigurationState(json: json, at: Self.time).formatVersion == "")
    #expect(throws: ConfigError.missing(path: "meta.format_version_string")) {
      try ConfigurationState(json: json, at: Self.time, mode: .strict)
    }
  }

  @Test(
    "MS-3: versions, leniently and strictly",
    arguments: [
      ("1.4.2", "1.4.2", nil), ("1", "1", nil), ("1.0", "1.0", nil),
      ("2.0", "2.0", .unsupportedVersion("2.0")), ("10", "10", .unsupportedVersion("10")),
      ("0.9", "0.9", .unsupportedVersion("0.9")), ("1.", "1.", Self.badVersion),
      ("1.x", "1.x", Self.badVersion), ("01.0", "01.0", Self.badVersion),
      ("", "", Self.badVersion), ("v1", "v1", Self.badVersion), ("1 ", "1 ", Self.badVersion),
      (1.5, "1.5", Self.badVersion), (.null, "null", Self.badVersion),
      (["1", 2], #"["1",2]"#, Self.badVersion),
    ] as [(JSONValue, String, ConfigError?)])
  func versions(version: JSONValue, lenient: String, strict: ConfigError?) throws {
    let json: JSONValue = [
      "meta": ["format_version_string": version, "creation_time": "2012-08-20T19:36Z"],
      "config_sections": [:],
    ]
    let state = try ConfigurationState(json: json, at: Self.time)
    #expect(state.formatVersion == lenient)
    #expect(state.meta["format_version_string"] == version)
    let read = Result { try ConfigurationState(json: json, at: Self.time, mode: .strict) }
    switch (read, strict) {
    case (.success(let state), nil): #expect(state.formatVersion == lenient)
    case (.failure(let error), let strict?): #expect(error as? ConfigError == strict)
    default: Issue.record("\(version): \(read)")
    }
  }

  private static let badVersion = ConfigError.wrongType(
    path: "meta.format_version_string", expected: #"a text such as "1.0""#)

  @Test(
    "MS-4, MS-V13: creation times",
    arguments: [
      ("2012-08-20T19:36Z", 0), ("2012-08-20T19:36:00Z", 0), ("2012-08-20T19:36:00.5Z", 500_000),
      ("2012-08-20T21:36+02:00", 0), ("2012-08-20T14:36:00-0500", 0), ("yesterday", nil),
      ("2012-08-20T19:36", nil), ("2012-08-20T19:36.5Z", nil), ("2012-08-20", nil), ("", nil),
      (1_345_491_360, nil), (true, nil), (.null, nil),
    ] as [(JSONValue, Int64?)])
  func creationTimes(time: JSONValue, micros: Int64?) throws {
    let json: JSONValue = [
      "meta": ["format_version_string": "1.0", "creation_time": time], "config_sections": [:],
    ]
    let expected = micros.map { Timestamp(microseconds: Self.time.microseconds + $0) }
    #expect(try ConfigurationState(json: json, at: Self.time).creationTime == expected)
    let strict = try? ConfigurationState(json: json, at: Self.time, mode: .strict)
    #expect(strict?.creationTime == expected)
    #expect((strict == nil) == (expected == nil))
  }

  @Test("MS-4: strictly the creation time must be there")
  func noCreationTime() {
    let json: JSONValue = ["meta": ["format_version_string": "1"], "config_sections": [:]]
    #expect(throws: ConfigError.missing(path: "meta.creation_time")) {
      try ConfigurationState(json: json, at: Self.time, mode: .strict)
    }
  }

  @Test("MS-6, MS-27: equality goes by sections and meta, numbers by value, and truth is no number")
  func equality() throws {
    let one = try configuration(["S": ["a": 1]])
    #expect(try one == configuration(["S": ["a": 1.0]]))
    #expect(try one.hashValue == configuration(["S": ["a": 1.0]]).hashValue)
    #expect(try one != configuration(["S": ["a": true]]))
    #expect(try one != configuration(["S": ["a": 1]], meta: ["x": 1]))
    #expect(try one != configuration(["S": ["a": 1], "T": [:]]))
    let fixture = ConfigFixture()
    try fixture.config.set(one)
    try fixture.config.set(configuration(["S": ["a": 1.0]]))
    #expect(fixture.world.events.count == 1)
    try fixture.config.set(configuration(["S": ["a": true]]))
    #expect(fixture.world.events.count == 2)
    fixture.expectRebuilt()
  }

  @Test("what no JSON text can say is refused, so that the log gives back what was set")
  func flaws() throws {
    #expect(
      throws: ConfigError.wrongType(
        path: "config_sections.S.settings.a.value", expected: "a finite number")
    ) { try configuration(["S": ["a": .number(.nan)]]) }
    // The value stands five objects deep, and 56 levels are read.
    for (depth, isGood) in [(51, true), (52, false)] {
      let nested = (0..<depth).reduce(JSONValue.null) { inner, _ in [inner] }
      let state = try? configuration(["S": ["a": nested]])
      #expect((state != nil) == isGood)
      let fixture = ConfigFixture()
      try fixture.config.set(state)
      #expect((fixture.config["S"] != nil) == isGood)
      fixture.expectRebuilt()
      let restored = try ActiveConfig(
        downloader: fixture.downloader, surroundings: ManualWorld().surroundings,
        restoring: fixture.config.snapshot())
      #expect(restored.state == fixture.config.state)
    }
  }

  @Test("names that differ in normalisation only are two, and trap nothing")
  func normalisation() throws {
    let state = try ConfigurationState(
      json: [
        "meta": ["e\u{301}": 1, "\u{e9}": 2], "config_sections": ["e\u{301}": [:], "\u{e9}": 3],
      ],
      at: Self.time)
    #expect(state.sectionNames.count == 2 && state.meta.count == 2)
    #expect(state.section("\u{e9}")?.name.utf8.count == 2)
  }
}
