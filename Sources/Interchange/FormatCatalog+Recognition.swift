import Statistics

extension FormatCatalog {
  /// The maximum number of bytes read to find the first line.
  private static let largestSample = 1 << 20

  /// Returns the format of an input, without consuming any of it.
  ///
  /// - Throws: ``ImportError`` `unknownFormat`, which says what the input looks like and why each format does not
  ///   match; also if several formats match.
  func recognize(_ source: inout ByteSource) throws(ImportError) -> any ImportFormat.Type {
    let line = try Self.firstLine(&source)
    guard !line.isEmpty else {
      throw Self.failure(
        source.name, "the input is empty",
        "check what wrote it, or use --format jsonl, which takes an input without records")
    }
    if let (kind, remedy) = UnreadableInput.binary(line) {
      throw Self.failure(source.name, "this looks like \(kind)", remedy)
    }
    let sample = InputSample(line)
    let answers = formats.map { (format: $0, match: $0.match(sample)) }
    let matches = answers.compactMap { answer in
      if case .match(let reason) = answer.match { (answer.format, reason) } else { nil }
    }
    if matches.count == 1 { return matches[0].0 }
    guard matches.isEmpty else {
      let names = matches.map { "\($0.0.info.name) (\($0.1))" }.joined(separator: " and ")
      throw Self.failure(
        source.name, "it looks like \(names)", "name one of them with --format")
    }
    let missed = answers.compactMap { answer in
      if case .mismatch(let reason) = answer.match {
        "it is not \(answer.format.info.name): \(reason)"
      } else {
        nil
      }
    }
    let (seen, remedy) = UnreadableInput.text(sample)
    throw Self.failure(source.name, ([seen] + missed).joined(separator: "; "), remedy)
  }

  /// Returns the first line that is not blank, or its start; empty if there is none.
  private static func firstLine(_ source: inout ByteSource) throws(ImportError) -> [UInt8] {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
    while true {
      let text = source.bytes[source.window]
      let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n"))
      if end == nil, text.count < largestSample, try source.extend() { continue }
      let line = text[start..<(end ?? text.endIndex)]
      return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  private static func failure(_ name: String, _ seen: String, _ remedy: String) -> ImportError {
    ImportError(.unknownFormat, "\(name): cannot tell the format: \(seen); \(remedy)")
  }
}

/// Recognizes common kinds of unsupported inputs, with remedies.
private enum UnreadableInput {
  private static let unpack = "unpack it first; gzip alone is unpacked here"
  private static let writeJSONLines =
    "it cannot be imported as it is; write its events as JSON Lines with \"type\", \"time\" and \"unit\" (Sources/Events/Events.docc/JSONLinesFormat.md)"
  private static let skipFirst =
    "if only its first line is broken, use --format jsonl --on-error skip"

  /// Describes an input that is not text; nil for text.
  static func binary(_ line: [UInt8]) -> (kind: String, remedy: String)? {
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

  /// Describes a text.
  static func text(_ sample: InputSample) -> (seen: String, remedy: String) {
    if let keys = sample.keys { return object(keys) }
    if sample.line.first == UInt8(ascii: "[") {
      return ("this looks like a JSON array", "write one object on each line (jq -c '.[]')")
    }
    guard UTF8Check.isValid(sample.line) else {
      return ("this is not UTF-8 text", "convert it to UTF-8 first")
    }
    guard let columns = sample.columns else {
      let start = String(decoding: sample.line, as: UTF8.self).prefix(60)
      return ("its first line is \"\(start)\"", "\(writeJSONLines); \(skipFirst)")
    }
    let shown = columns.prefix(8).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
    return ("this looks like CSV with the columns \(shown)", writeJSONLines)
  }

  private static func object(_ keys: [String]) -> (seen: String, remedy: String) {
    if keys.contains("_label_cost") || keys.contains("EventId") {
      return ("this looks like Decision Service JSON (dsjson)", writeJSONLines)
    }
    guard !keys.isEmpty else {
      return ("this begins like a JSON object without members", skipFirst)
    }
    let shown = keys.prefix(6).map { "\"\($0)\"" }.joined(separator: ", ")
    return ("this is a JSON object with the keys \(shown)", writeJSONLines)
  }
}
