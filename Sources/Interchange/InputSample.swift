internal import Arrow
import Specifications

/// The beginning of an input, by which its format is recognized.
public struct InputSample: Sendable {
  /// The first line that is not blank, without leading white space and line end. A line longer than a mebibyte may be
  /// truncated.
  public let line: [UInt8]
  /// The fields of the first JSON object, which may be the first of a list and span several lines; nil if the input
  /// does not begin with one.
  public let fields: FieldTree?
  /// The keys of the first JSON object, in order, as far as it was read; nil if the line does not begin with `{` or
  /// `[`.
  public let keys: [String]?
  /// The fields of the line as a row of CSV or TSV, or the columns of an Arrow stream; nil if it is JSON, not UTF-8 or
  /// valid CSV, or has a single field.
  public let columns: [String]?
  /// Whether the input is an Arrow stream or file.
  public let isArrow: Bool
  /// The columns of an Arrow stream, with the fields of structs in their place: `properties.plan`.
  let arrowPaths: [String]
  /// The contents of each column in the first records; nil if they were not read.
  var sampled: [SampledColumn]?

  /// Creates a sample of a line, without its end.
  public init(_ line: [UInt8]) { self.init(line: line, text: line) }

  /// Creates a sample.
  ///
  /// - Parameters:
  ///   - line: The first line.
  ///   - text: The beginning of the input from the first line on, in which the first JSON object is looked for.
  init(line: [UInt8], text: [UInt8]) {
    self.line = line
    (isArrow, arrowPaths) = (false, [])
    let isJSON = line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "[")
    let object = isJSON ? Self.object(text) : []
    keys = isJSON ? JSONKeys.topLevel(object) : nil
    columns = isJSON ? nil : Self.columns(line)
    var fields = FieldTree()
    do throws(Rejection) {
      try fields.fill(json: object.span)
      self.fields = fields
    } catch {
      self.fields = nil
    }
  }

  /// Creates a sample of an Arrow stream.
  init(_ schema: ArrowSchema) {
    (line, fields, keys) = ([], nil, nil)
    columns = schema.fields.map(\.name)
    isArrow = true
    arrowPaths = schema.fields.flatMap { Self.paths($0, prefix: "") }
  }

  private static func paths(_ field: ArrowField, prefix: String) -> [String] {
    guard case .structure(let fields) = field.type, !fields.isEmpty else {
      return [prefix + field.name]
    }
    return fields.flatMap { paths($0, prefix: "\(prefix)\(field.name).") }
  }

  /// Returns the first object of a text, or its beginning; empty if there is none.
  private static func object(_ text: [UInt8]) -> [UInt8] {
    guard
      let start = text.firstIndex(where: {
        $0 > 0x20 && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: ",")
      }),
      text[start] == UInt8(ascii: "{")
    else { return [] }
    var scan = JSONTextScan()
    let count = scan.run(text, start..<text.count) ?? text.count - start
    return Array(text[start..<start + count])
  }

  private static func columns(_ line: [UInt8]) -> [String]? {
    let separator = FieldLayout.separator(of: line)
    var scan = CSVRecordScan(separator: separator)
    _ = scan.run(line, line.indices)
    guard scan.problem == nil, !scan.isInQuotes, UTF8Check.isValid(line) else { return nil }
    var (row, fields) = ([UInt8](), [Range<Int>]())
    _ = CSVRecordScan.split(line, line.indices, at: separator, into: &row, &fields)
    guard fields.count > 1 else { return nil }
    return fields.map { String(decoding: row[$0], as: UTF8.self) }
  }
}

extension InputSample {
  /// Returns a sample of the first record, if the first object has a list of them under one of some names; otherwise
  /// this sample.
  func ofRecord(in names: [String]) -> InputSample {
    guard let fields else { return self }
    for name in names {
      guard let list = fields.find(Array(name.utf8), in: fields.root), fields.isList(list),
        let first = fields.child(after: nil, of: list), fields.isObject(first)
      else { continue }
      return InputSample(Array(fields.text(first)))
    }
    return self
  }

  /// Returns whether the line is a JSON object that has these keys.
  public func match(keys names: String...) -> FormatMatch {
    Self.match(names, oneOf: [], keys.map { found in { found.contains($0) } }, "key")
  }

  /// Returns whether the line is a CSV header that has these columns, and at least one of some others.
  ///
  /// - Parameters:
  ///   - names: The required columns.
  ///   - alternatives: Columns of which at least one is required; none by default.
  /// - Returns: The match, with the missing columns.
  public func match(columns names: String..., oneOf alternatives: [String] = []) -> FormatMatch {
    guard columns != nil else { return .unrelated }
    return Self.match(names, oneOf: alternatives, has, "column")
  }

  /// Returns whether the input has these fields, as keys of its first JSON object or as columns of CSV, and at least
  /// one of some others.
  ///
  /// - Parameters:
  ///   - names: The required fields; one of a nested object is written `outer.inner`.
  ///   - alternatives: Fields of which at least one is required; none by default.
  /// - Returns: The match, with the missing fields.
  public func match(fields names: String..., oneOf alternatives: [String] = []) -> FormatMatch {
    guard keys != nil || columns != nil else { return .unrelated }
    return Self.match(names, oneOf: alternatives, has, "field")
  }

  /// Returns whether the first record has a field, as a key, or the header a column. A field of a nested object is
  /// written `outer.inner`.
  public func has(_ path: String) -> Bool {
    columns.map { hasColumn(path, $0) } ?? (field(path) != nil || keys?.contains(path) == true)
  }

  /// Returns the content of a field of the first JSON object; nil if there is none.
  public func text(_ path: String) -> String? {
    field(path).flatMap { fields?.string($0) }
  }

  private func hasColumn(_ name: String, _ columns: [String]) -> Bool {
    columns.contains(name)
      || (ColumnCase.isUpper(columns) && columns.contains(name.uppercased()))
  }

  private func field(_ path: String) -> FieldTree.Field? {
    guard let fields else { return nil }
    var place = fields.root
    if let whole = fields.find(Array(path.utf8), in: place) { return whole }
    for part in path.split(separator: ".") {
      guard let next = fields.find(Array(part.utf8), in: place) else { return nil }
      place = next
    }
    return place
  }

  private static func match(
    _ names: [String], oneOf alternatives: [String], _ has: ((String) -> Bool)?, _ noun: String
  ) -> FormatMatch {
    guard let has else { return .unrelated }
    var missing = names.filter { !has($0) }.map { "\"\($0)\"" }
    if !alternatives.isEmpty, !alternatives.contains(where: has) {
      missing.append("\"" + alternatives.joined(separator: "\" or \"") + "\"")
    }
    guard missing.isEmpty else {
      return .mismatch("no \(noun) \(missing.joined(separator: ", "))")
    }
    let found = names + alternatives.filter(has).prefix(1)
    let ending = found.count == 1 ? "" : "s"
    return .match("the \(noun)\(ending) \(found.map { "\"\($0)\"" }.joined(separator: ", "))")
  }
}

/// Extracts the keys of a JSON object without validating the rest.
enum JSONKeys {
  /// Returns the raw top-level keys of the object that the bytes begin with, in order, as far as the bytes go.
  static func topLevel(_ bytes: [UInt8]) -> [String] {
    var keys: [String] = []
    var depth = 0
    var text: [UInt8] = []
    var isInText = false
    var isEscaped = false
    for byte in bytes {
      if isInText {
        if isEscaped || byte == UInt8(ascii: "\\") {
          isEscaped.toggle()
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
          continue
        }
        if depth == 1 { text.append(byte) }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        isInText = true
        text.removeAll(keepingCapacity: true)
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return keys }
      case UInt8(ascii: ":") where depth == 1: keys.append(String(decoding: text, as: UTF8.self))
      default: break
      }
    }
    return keys
  }
}
