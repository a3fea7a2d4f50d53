internal import DecidingCore
public import Events
internal import Specifications

/// A complete configuration: the server's metadata (`meta`) and its sections of settings.
///
/// ```json
/// {"meta": {"format_version_string": "1.0", "creation_time": "2012-08-20T19:36Z", "group": "B"},
///  "config_sections": {"AppFeatures": {"settings": {"ChatEnabled": {"value": true}}}}}
/// ```
public struct ConfigurationState: Sendable {
  /// How strictly a document is read.
  public enum Mode: Sendable {
    /// Version and creation time can be missing or of any form; a section that is not an object is empty.
    case lenient
    /// The version is a text of the form `1` or `1.N`, the creation time an ISO 8601 date-time, and every
    /// section an object.
    case strict
  }

  /// The format version of the document; empty when it has none.
  public let formatVersion: String
  /// The time at which the server created the document; nil when it has none in ISO 8601 format.
  public let creationTime: Timestamp?
  /// The whole document, as read.
  public let json: JSONValue

  /// All members of `meta`, unparsed.
  let metaMembers: JSONObject
  /// The sections by name. Every value is an object.
  let sections: JSONObject

  /// Creates a configuration without `meta` and sections, of version `1.0`, created at the given time.
  public init(at time: Timestamp) {
    formatVersion = "1.0"
    creationTime = time
    json = ["meta": [:], "config_sections": [:]]
    metaMembers = JSONObject()
    sections = JSONObject()
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - json: The document; nil for the empty configuration.
  ///   - time: The creation time of the empty configuration.
  ///   - mode: How strictly the document is read.
  /// - Throws: ``ConfigError/notAnObject(path:)``, ``ConfigError/missing(path:)``,
  ///   ``ConfigError/wrongType(path:expected:)`` or, in strict mode, ``ConfigError/unsupportedVersion(_:)``.
  public init(json: JSONValue?, at time: Timestamp, mode: Mode = .lenient) throws(ConfigError) {
    guard let json else {
      self.init(at: time)
      return
    }
    guard let document = json.object else { throw .notAnObject(path: "") }
    let meta = try Self.object("meta", in: document)
    let sections = try Self.object("config_sections", in: document)
    if let flaw = json.firstFlaw(deepest: Self.deepestNesting) {
      throw .wrongType(path: flaw.path.joined(separator: "."), expected: flaw.expected)
    }
    if mode == .strict { try Self.checkStrictly(meta, sections) }
    self.init(json: json, meta: meta, sections: sections)
  }

  /// The maximum nesting of a document: less than that of the log, which wraps it in further levels.
  private static var deepestNesting: Int { 56 }

  private init(json: JSONValue, meta: JSONObject, sections: JSONObject) {
    formatVersion = meta[Self.versionKey].map { $0.string ?? $0.description } ?? ""
    creationTime = meta[Self.creationKey]?.string.flatMap { Timestamp(creationTime: $0) }
    metaMembers = meta
    self.sections = Self.onlyObjects(sections)
    self.json = json
  }

  /// Parses the text of a document.
  ///
  /// - Parameters:
  ///   - text: JSON text.
  ///   - parsing: Whether trailing commas and comments are allowed.
  ///   - mode: How strictly the document is read.
  /// - Throws: ``ConfigError/invalidJSON(line:column:byte:reason:)``, and the errors of
  ///   ``init(json:at:mode:)``.
  public init(parsing text: String, _ parsing: JSONParsing = .strict, mode: Mode = .lenient)
    throws(ConfigError)
  {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text, parsing)
    } catch {
      throw ConfigError(error)
    }
    try self.init(json: json, at: Timestamp(microseconds: 0), mode: mode)
  }

  /// All members of `meta`, with version and creation time as received.
  public var meta: JSONObject { metaMembers }

  /// The names of the sections, ascending by their UTF-8 bytes.
  public var sectionNames: [String] { sections.names }

  /// Returns the section with that name; nil when there is none.
  ///
  /// - Complexity: O(log n) in the number of sections.
  public func section(_ name: String) -> ConfigSection? {
    sections[name]?.object.map { ConfigSection(name: name, content: $0) }
  }

  /// Returns the section with that name; nil when there is none.
  public subscript(_ name: String) -> ConfigSection? { section(name) }
}

extension ConfigurationState: Hashable {
  /// Compares sections and `meta`; numbers by value, and a Boolean never equals a number.
  public static func == (a: ConfigurationState, b: ConfigurationState) -> Bool {
    a.sections == b.sections && a.metaMembers == b.metaMembers
  }

  /// Hashes sections and `meta`, to agree with `==`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sections)
    hasher.combine(metaMembers)
  }
}

extension ConfigurationState {
  /// Returns the names of the sections that were added, changed or removed since the other configuration,
  /// ascending.
  func changedSections(since old: ConfigurationState) -> [String] {
    sections.namesOfDifferences(from: old.sections)
  }

  /// Returns the changes as logged: the names of the sections, and `meta`.
  func changes(since old: ConfigurationState) -> [String] {
    changedSections(since: old) + (metaMembers == old.metaMembers ? [] : ["meta"])
  }

  private static let versionKey = "format_version_string"
  private static let creationKey = "creation_time"

  private static func object(_ name: String, in document: JSONObject) throws(ConfigError)
    -> JSONObject
  {
    guard let value = document[name] else { throw .missing(path: name) }
    guard let object = value.object else { throw .notAnObject(path: name) }
    return object
  }

  /// Returns the sections, with an empty one in place of each that is not an object.
  private static func onlyObjects(_ sections: JSONObject) -> JSONObject {
    if sections.members.allSatisfy({ $0.value.object != nil }) { return sections }
    return JSONObject(
      sections.members.map { member in
        JSONObject.Member(
          name: member.name, value: member.value.object == nil ? [:] : member.value)
      })
  }

  private static func checkStrictly(_ meta: JSONObject, _ sections: JSONObject) throws(ConfigError) {
    try checkVersion(meta)
    let path = "meta.\(creationKey)"
    guard let time = meta[creationKey] else { throw .missing(path: path) }
    guard let text = time.string, Timestamp(creationTime: text) != nil else {
      throw .wrongType(
        path: path, expected: "an ISO 8601 date-time with Z or an offset, as 2012-08-20T19:36Z")
    }
    for member in sections.members where member.value.object == nil {
      throw .notAnObject(path: "config_sections.\(member.name)")
    }
  }

  private static func checkVersion(_ meta: JSONObject) throws(ConfigError) {
    let path = "meta.\(versionKey)"
    guard let version = meta[versionKey] else { throw .missing(path: path) }
    let malformed = ConfigError.wrongType(path: path, expected: #"a text such as "1.0""#)
    guard let text = version.string else { throw malformed }
    let leading = text.utf8.prefix { $0.isASCIIDigit }
    guard !leading.isEmpty else { throw malformed }
    // Digits are compared instead of numbers: a leading number can be longer than any integer.
    let major = leading.drop { $0 == UInt8(ascii: "0") }
    guard major.elementsEqual("1".utf8) else { throw .unsupportedVersion(text) }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard leading.count == 1, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) })
    else {
      throw malformed
    }
  }
}

extension Timestamp {
  /// Parses an ISO 8601 date-time whose seconds can be missing (`2012-08-20T19:36Z`); nil for any other text,
  /// or without an offset.
  fileprivate init?(creationTime text: String) {
    var bytes = Array(text.utf8)
    let minutes = "2012-08-20T19:36".utf8.count
    if bytes.count > minutes, "Zz+-".utf8.contains(bytes[minutes]) {
      bytes.insert(contentsOf: ":00".utf8, at: minutes)
    }
    self.init(iso8601: bytes.span)
  }
}
