/// Tells the format of an input by the first bytes of its text.
enum FormatDetection {
  /// How much is looked at, at most.
  private static let largestSample = 1 << 20

  /// The format of a source, from which nothing is taken.
  ///
  /// - Throws: ``ImportError`` `unknownFormat`, which names what the input looks like.
  static func detect(_ source: inout ByteSource) throws(ImportError) -> ImportFormat {
    let line = try firstLine(&source)
    guard let first = line.first else {
      throw failure(
        source.name, "the input is empty",
        "check what wrote it, or use --format jsonl, which takes an input without records")
    }
    if let (kind, remedy) = binaryKind(line) {
      throw failure(source.name, "this looks like \(kind)", remedy)
    }
    if first == UInt8(ascii: "{") { return try detectObject(line, source.name) }
    if first == UInt8(ascii: "[") {
      throw failure(
        source.name, "this looks like a JSON array", "write one object on each line (jq -c '.[]')")
    }
    return try detectTable(line, source.name)
  }

  /// The first line that is not blank, or its start; empty when there is none.
  private static func firstLine(_ source: inout ByteSource) throws(ImportError) -> [UInt8] {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
    while true {
      let text = source.bytes[source.window]
      let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n"))
      if let end { return Array(text[start..<end]) }
      if text.count >= largestSample { return Array(text[start...]) }
      if try !source.extend() { return Array(source.bytes[source.window].drop(while: isSpace)) }
    }
  }

  private static func binaryKind(_ line: [UInt8]) -> (kind: String, remedy: String)? {
    let magics: [(magic: String, kind: String, remedy: String)] = [
      ("PAR1", "a Parquet file", writeJSONLines),
      ("SQLite format 3", "an SQLite database", writeJSONLines),
      ("Obj\u{1}", "an Avro file", writeJSONLines), ("PK\u{3}\u{4}", "a zip archive", unpack),
    ]
    for entry in magics where line.starts(with: entry.magic.utf8) {
      return (entry.kind, entry.remedy)
    }
    if line.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return ("a zstd file", unpack) }
    let isBinary = line.prefix(4_096).contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }
    return isBinary ? ("a binary file", writeJSONLines) : nil
  }

  // MARK: Remedies

  private static let unpack = "unpack it first; gzip alone is unpacked here"
  /// What helps with everything that no importer reads.
  private static let writeJSONLines =
    "it cannot be imported as it is; write its events as JSON Lines with \"type\", \"time\" and \"unit\" (Sources/Events/Events.docc/JSONLinesFormat.md)"
  private static let skipFirst =
    "if only its first line is broken, use --format jsonl --on-error skip"

  // MARK: Text

  private static func detectObject(
    _ line: [UInt8], _ name: String
  ) throws(ImportError) -> ImportFormat {
    let keys = JSONKeys.topLevel(line)
    if keys.contains("type") { return .jsonLines }
    if keys.contains("_label_cost") || keys.contains("EventId") {
      throw failure(name, "this looks like Decision Service JSON (dsjson)", writeJSONLines)
    }
    guard !keys.isEmpty else {
      throw failure(name, "this begins like a JSON object without members", skipFirst)
    }
    let shown = keys.prefix(6).map { "\"\($0)\"" }.joined(separator: ", ")
    throw failure(
      name, "this is a JSON object with the keys \(shown) and no \"type\"", writeJSONLines)
  }

  private static func detectTable(
    _ line: [UInt8], _ name: String
  ) throws(ImportError) -> ImportFormat {
    guard UTF8Check.isValid(line) else {
      throw failure(name, "this is not UTF-8 text", "convert it to UTF-8 first")
    }
    let header = String(decoding: line, as: UTF8.self)
      .split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.trimmingQuotes()) }
    let isOpenBandit =
      ["item_id", "position", "click"].allSatisfy(header.contains)
      && (header.contains("propensity_score") || header.contains("action_prob"))
    if isOpenBandit { return .openBandit }
    guard header.count > 1 else {
      throw failure(
        name, "its first line is \"\(String(header[0].prefix(60)))\"",
        "\(writeJSONLines); \(skipFirst)")
    }
    let shown = header.prefix(8).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
    throw failure(
      name, "this looks like CSV with the columns \(shown)",
      "the only CSV that can be imported is that of the Open Bandit Dataset (item_id, position, click and "
        + "propensity_score or action_prob); \(writeJSONLines)")
  }

  private static func failure(_ name: String, _ seen: String, _ remedy: String) -> ImportError {
    ImportError(.unknownFormat, "\(name): cannot tell the format: \(seen); \(remedy)")
  }
}

extension StringProtocol {
  /// The text without a carriage return at its end and quotes around it.
  fileprivate func trimmingQuotes() -> SubSequence {
    var text = self[...]
    if text.unicodeScalars.last == "\r" {
      text = text[..<text.unicodeScalars.index(before: text.endIndex)]
    }
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
    return text.dropFirst().dropLast()
  }
}

/// The keys of a JSON object, read without judging the rest.
enum JSONKeys {
  /// The keys of the object that the bytes begin with, as written, in their order, as far as the
  /// bytes reach.
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
