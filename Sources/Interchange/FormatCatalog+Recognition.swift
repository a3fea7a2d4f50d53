internal import Arrow
internal import Specifications

extension FormatCatalog {
  /// Returns the format of an input, without consuming any of it, and why it was recognized as that. An input of
  /// blank lines only, or a JSON list without an element, is JSON Lines without a record.
  ///
  /// - Throws: ``ImportError`` `unknownFormat`, which says what the input looks like and why each format does not
  ///   match; also if several formats match.
  func recognize(_ source: inout ByteSource) throws(ImportError) -> RecognizedFormat {
    if let schema = try Self.arrowSchema(&source) {
      return try recognize(InputSample(schema), source.name)
    }
    let line = try FirstLine.read(&source)
    guard !line.isEmpty else {
      return RecognizedFormat(type: JSONLines.self, reason: "the input is empty")
    }
    if let (kind, remedy) = UnreadableInput.binary(line) {
      throw Self.failure(source.name, "this looks like \(kind)", remedy)
    }
    let text = try FirstLine.extended(line, &source)
    guard !FirstLine.isEmptyList(text) else {
      return RecognizedFormat(type: JSONLines.self, reason: "the list is empty")
    }
    let sample = InputSample(line: line, text: text)
    return try recognize(sample, source.name)
  }

  /// Returns the schema of an Arrow stream; nil if the input is none.
  private static func arrowSchema(_ source: inout ByteSource) throws(ImportError) -> ArrowSchema? {
    do throws(ImportError) {
      return try ArrowInput.schema(&source)
    } catch  where error.code == .badData {
      let reason = error.description.dropFirst(source.name.count + 2)
      throw failure(
        source.name, "this looks like an Arrow stream, and \(reason)", "check what wrote it")
    } catch {
      throw error
    }
  }

  private func recognize(
    _ sample: InputSample, _ name: String
  ) throws(ImportError) -> RecognizedFormat {
    let answers = entries.map { (format: $0.made, match: $0.made.match(sample)) }
    let matches = answers.compactMap { answer in
      if case .match(let reason) = answer.match {
        RecognizedFormat(type: answer.format, reason: reason)
      } else {
        nil
      }
    }
    if matches.count == 1 { return matches[0] }
    guard matches.isEmpty else {
      let names = matches.map { "\($0.type.info.name) (\($0.reason))" }
      let options = matches.map { "--format \($0.type.info.name)" }
      throw Self.failure(
        name, "it looks like \(names.joined(separator: " and "))",
        "import it with \(options.joined(separator: " or "))")
    }
    let (seen, remedy) = UnreadableInput.text(sample)
    throw Self.failure(
      name, ([seen] + Self.nearest(answers)).joined(separator: "; "), remedy)
  }

  /// Describes the few formats that lack least.
  private static func nearest(
    _ answers: [(format: any ImportFormat.Type, match: FormatMatch)]
  ) -> [String] {
    let missed = answers.compactMap { answer in
      if case .mismatch(let reason) = answer.match {
        (name: answer.format.info.name, reason: reason)
      } else {
        nil
      }
    }
    let missing = { (reason: String) in reason.count { $0 == "," } }
    return missed.sorted { (missing($0.reason), $0.name) < (missing($1.reason), $1.name) }
      .prefix(3).map { "it is not \($0.name): \($0.reason)" }
  }

  private static func failure(_ name: String, _ seen: String, _ remedy: String) -> ImportError {
    ImportError(.unknownFormat, "\(name): cannot tell the format: \(seen); \(remedy)")
  }
}

/// A recognized format.
public struct RecognizedFormat: Sendable {
  /// The format.
  public let type: any ImportFormat.Type
  /// The evidence: `the fields "anonymousId", "type"`.
  public let reason: String
}

/// Recognizes common kinds of unsupported inputs, with remedies.
private enum UnreadableInput {
  private static let writeJSONLines =
    "it cannot be imported as it is; write its events as JSON Lines with \"type\", \"time\" and \"unit\" "
    + "(Sources/Events/Events.docc/JSONLinesFormat.md)"
  private static let skipFirst =
    "if only its first line is broken, use --format jsonl --on-error skip"

  /// Describes an input that is not text; nil for text.
  static func binary(_ line: [UInt8]) -> (kind: String, remedy: String)? {
    let magics: [(magic: String, kind: String, remedy: String)] = [
      ("PAR1", "a Parquet file", "name the file, which python3 reads with pyarrow or DuckDB"),
      ("ARROW1", "an Arrow file", "name the file, which python3 reads with pyarrow"),
      ("SQLite format 3", "an SQLite database", writeJSONLines),
      ("Obj\u{1}", "an Avro file", writeJSONLines),
    ]
    for entry in magics where line.starts(with: entry.magic.utf8) {
      return (entry.kind, entry.remedy)
    }
    let isBinary = line.prefix(4_096).contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }
    return isBinary ? ("a binary file", writeJSONLines) : nil
  }

  private static let mapFields =
    "say which fields are which with --map, or let bandolier import --suggest propose it"

  /// Describes a text.
  static func text(_ sample: InputSample) -> (seen: String, remedy: String) {
    if let keys = sample.keys {
      return object(keys, isList: sample.line.first == UInt8(ascii: "["))
    }
    if sample.isArrow {
      let columns = shown(sample.columns ?? [], 8)
      return ("this is an Arrow table with the columns \(columns)", mapFields)
    }
    guard UTF8Check.isValid(sample.line) else {
      return ("this is not UTF-8 text", "convert it to UTF-8 first")
    }
    guard let columns = sample.columns else {
      let start = String(decoding: sample.line, as: UTF8.self).prefix(60)
      return ("its first line is \"\(start)\"", "\(writeJSONLines); \(skipFirst)")
    }
    return ("this looks like CSV with the columns \(shown(columns, 8))", mapFields)
  }

  private static func object(_ keys: [String], isList: Bool) -> (seen: String, remedy: String) {
    guard !keys.isEmpty else {
      let what = isList ? "a JSON list without an object that has members" : "a JSON object without members"
      return ("this begins like \(what)", skipFirst)
    }
    return ("this is a JSON object with the keys \(shown(keys, 8))", mapFields)
  }

  private static func shown(_ names: [String], _ count: Int) -> String {
    names.prefix(count).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
  }
}
