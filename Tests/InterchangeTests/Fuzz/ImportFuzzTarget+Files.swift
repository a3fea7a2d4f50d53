import Platform
import Specifications
import Synchronization

@testable import Interchange

// The targets whose inputs are more than the records of a format.
extension ImportFuzzTarget {
  /// Imports an Open Bandit file, with the items before a line `---` if there is one.
  static func openBandit(_ bytes: [UInt8]) throws {
    let mark = Array("\n---\n".utf8)
    guard let place = bytes.firstRange(of: mark) else { return try records(bytes, opening("obd")) }
    let table = Array(bytes[..<place.lowerBound])
    try records(Array(bytes[place.upperBound...])) { (source) throws(ImportError) in
      try CSVSource(source) { (header) throws(ImportError) in
        let columns = try OpenBanditColumns(header)
        let items = try OpenBanditItems(ByteSource(PortionedInput(table, portion: .max)))
        return OpenBanditReader(experiment: "fuzz", columns, items)
      }
    }
  }

  /// Imports a table or JSON by the mapping in the first line, which must be the same when it is written and read.
  static func mapping(_ bytes: [UInt8]) throws {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let entries = String(decoding: bytes[..<end], as: UTF8.self).split(separator: ";")
    guard let mapping = try? EventMapping(entries.map(String.init)) else { return }
    let again = try EventMapping(mapping.entries)
    try require(again == mapping, "\(again.entries) and not \(mapping.entries)")
    try records(Array(bytes[end...].dropFirst()), opening("csv", mapping: mapping))
  }

  /// Recognizes the format, in portions too, and imports the input in it; and by the mapping that is proposed for it.
  static func recognition(_ bytes: [UInt8]) throws {
    let whole = try Recognized(bytes, portion: .max)
    for portion in [1, 7] {
      let parts = try Recognized(bytes, portion: portion)
      try require(parts == whole, "\(parts) in portions of \(portion), and \(whole)")
    }
    if let name = whole.name { try records(bytes, opening(name)) }
    guard let entries = whole.suggested else { return }
    let mapping = try EventMapping(entries.map(\.entry))
    var seen: Set<String> = []
    let wanted = entries.filter(\.isColumn).map(\.column).filter {
      !["*", "{column}", "{value}"].contains($0) && seen.insert($0).inserted
    }
    try require(
      mapping.columns.sorted() == wanted.sorted(), "\(mapping.columns) and not \(wanted)")
    try records(bytes, opening("csv", mapping: mapping))
  }

  /// Imports an Arrow stream behind the byte that selects how it is read.
  static func arrow(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    switch first % 3 {
    case 0: try records(stream, opening("arrow"))
    case 1:
      let mapping = try EventMapping([
        "time=time", "unit=unit", "variant=variant", "experiment:=x", "context.*=*", "2.goal:=g",
        "2.value=value",
      ])
      try records(stream, opening("csv", mapping: mapping))
    default: try records(stream, opening("growthbook"))
    }
  }

  /// Reads a file through a pipe, at once and in small portions, and compares its content.
  static func gzip(_ bytes: [UInt8]) throws {
    guard bytes.count <= 32_000 else { return }
    let whole = try PipedContent(bytes, portion: .max)
    for portion in [1, 7] {
      let parts = try PipedContent(bytes, portion: portion)
      try require(parts == whole, "\(parts) in portions of \(portion), and \(whole)")
    }
    guard !bytes.starts(with: [0x1F, 0x8B]) else {
      let codes: [ImportError.Code] = [.truncatedGzip, .badData]
      try require(whole.failure.map { codes.contains($0.code) } ?? true, "\(whole)")
      return
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    try require(whole.failure == nil && whole.bytes == text, "\(whole) of \(bytes)")
  }
}

/// The format that an input is recognized as, and the mapping that is proposed for it.
private struct Recognized: Equatable {
  var name: String?
  var reason: String?
  var failure: ImportError?
  /// The proposal, if nothing is missing in it.
  var suggested: [MappingSuggestion.Line]?

  init(_ bytes: [UInt8], portion: Int) throws {
    do throws(ImportError) {
      var source = try ByteSource(PortionedInput(bytes, portion: portion))
      let start = (source.offset, Array(source.bytes[source.window]))
      do throws(ImportError) {
        let recognized = try FormatCatalog.standard.recognize(&source)
        (name, reason) = (recognized.type.info.name, recognized.reason)
      } catch {
        failure = error
      }
      guard source.offset == start.0, source.bytes[source.window].starts(with: start.1) else {
        throw ImportError(.interrupted, "recognition consumes bytes")
      }
      let line = try FirstLine.read(&source)
      let sample = InputSample(line: line, text: try FirstLine.extended(line, &source))
      let suggestion = MappingSuggestion(sample)
      if let suggestion, suggestion.missing.isEmpty {
        suggested = suggestion.lines
      }
    } catch {
      throw ImportFuzzTarget.Failure(description: "\(error)")
    }
    try ImportFuzzTarget.require(
      failure.map { $0.code == .unknownFormat } ?? true, "\(String(describing: failure))")
  }
}

/// The content of a file that is read through a pipe.
private struct PipedContent: Equatable {
  var bytes: [UInt8] = []
  var failure: ImportError?

  /// Reads a file from a pipe, each read of which returns at most so many bytes.
  init(_ file: [UInt8], portion: Int) throws {
    var ends: [Int32] = [0, 0]
    // Safety: pipe writes two descriptors, which is what the array has.
    guard unsafe pipe(&ends) == 0 else {
      throw ImportFuzzTarget.Failure(description: "no pipe: \(errno)")
    }
    let feeder = PipeFeeder(file, portion: portion, to: ends[1])
    defer {
      close(ends[0])
      feeder.close()
    }
    do throws(ImportError) {
      var source = try ByteSource(path: "/proc/self/fd/\(ends[0])") { _ in feeder.feed() }
      repeat {
        bytes += source.bytes[source.window]
        source.consume(source.window.count)
      } while try source.extend()
    } catch {
      failure = ImportError(
        error.code, error.description.replacing("/proc/self/fd/\(ends[0])", with: ""))
    }
  }
}

/// Writes the next bytes of a file to a pipe whenever its reader is about to read.
private final class PipeFeeder: Sendable {
  private let file: [UInt8]
  private let portion: Int
  private let descriptor: Int32
  /// The number of bytes written; nil after the end.
  private let position = Mutex<Int?>(0)

  init(_ file: [UInt8], portion: Int, to descriptor: Int32) {
    (self.file, self.portion, self.descriptor) = (file, portion, descriptor)
  }

  /// Writes the next portion, or closes the pipe after the last one; false if that fails.
  func feed() -> Bool {
    position.withLock { position in
      guard let start = position else { return true }
      let next = Array(file[start...].prefix(portion))
      position = next.isEmpty ? nil : start + next.count
      if next.isEmpty { return Platform.close(descriptor) == 0 }
      // Safety: no more bytes are written than the array has.
      return unsafe write(descriptor, next, next.count) == next.count
    }
  }

  /// Closes the pipe unless it was read to its end.
  func close() {
    position.withLock { position in
      if position != nil { _ = Platform.close(descriptor) }
      position = nil
    }
  }
}
