import Statistics

/// The first line of an input, by which its format is recognized.
public struct InputSample: Sendable {
  /// The first line that is not blank, without leading white space and line end. A line longer than a mebibyte may be
  /// truncated.
  public let line: [UInt8]
  /// The keys of the JSON object that the line begins with, in order; nil if it does not begin with `{`.
  public let keys: [String]?
  /// The fields of the line as a row of CSV; nil if it is JSON, not UTF-8 or valid CSV, or has a single field.
  public let columns: [String]?

  /// Creates a sample of a line, without its end.
  public init(_ line: [UInt8]) {
    self.line = line
    let isObject = line.first == UInt8(ascii: "{")
    keys = isObject ? JSONKeys.topLevel(line) : nil
    columns = isObject ? nil : Self.columns(line)
  }

  private static func columns(_ line: [UInt8]) -> [String]? {
    var scan = CSVRecordScan()
    _ = scan.run(line, line.indices)
    guard line.first != UInt8(ascii: "["), scan.problem == nil, !scan.isInQuotes,
      UTF8Check.isValid(line)
    else { return nil }
    var (row, fields) = ([UInt8](), [Range<Int>]())
    _ = CSVRecordScan.split(line, line.indices, into: &row, &fields)
    guard fields.count > 1 else { return nil }
    return fields.map { String(decoding: row[$0], as: UTF8.self) }
  }

  /// Returns whether the line is a JSON object that has these keys.
  public func match(keys names: String...) -> FormatMatch {
    Self.match(names, oneOf: [], keys, "key")
  }

  /// Returns whether the line is a CSV header that has these columns, and at least one of some others.
  ///
  /// - Parameters:
  ///   - names: The required columns.
  ///   - alternatives: Columns of which at least one is required; none by default.
  /// - Returns: The match, with the missing columns.
  public func match(columns names: String..., oneOf alternatives: [String] = []) -> FormatMatch {
    Self.match(names, oneOf: alternatives, columns, "column")
  }

  private static func match(
    _ names: [String], oneOf alternatives: [String], _ found: [String]?, _ noun: String
  ) -> FormatMatch {
    guard let found else { return .unrelated }
    var missing = names.filter { !found.contains($0) }.map { "\"\($0)\"" }
    if !alternatives.isEmpty, !alternatives.contains(where: found.contains) {
      missing.append("\"" + alternatives.joined(separator: "\" or \"") + "\"")
    }
    guard missing.isEmpty else {
      return .mismatch("no \(noun) \(missing.joined(separator: ", "))")
    }
    let ending = names.count == 1 ? "" : "s"
    return .match("the \(noun)\(ending) \(names.map { "\"\($0)\"" }.joined(separator: ", "))")
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
