package import EventLog
import Events
internal import Specifications

/// The files that were imported into a log to their end. Importing one of them again adds nothing and, if no record was
/// rejected, takes only a comparison of its bytes.
///
/// They are kept as JSON in the file `IMPORTS` of the log's folder. It can be deleted: imports are then slower, and do
/// the same.
package struct ImportHistory: Sendable {
  /// A file that was imported.
  package struct File: Hashable, Sendable {
    /// The settings of the import, on which the events depend.
    var settings: String
    /// The size in bytes, and the digest of its bytes.
    var byteCount: Int64
    var digest: Fingerprint
    /// The position in the log after the import, and the checksum of the events before it.
    var position: UInt64
    var checksum: UInt32
    /// The counts of importing it again.
    var counts: Counts
    /// The kinds of its events, as bits; 0 if they were not noted.
    var kinds: UInt32
    /// How the events behind it are told from duplicates once the file grows; nil if it is then read again.
    var rest: Rest?
  }

  /// How the events that a file has behind its known beginning are told from duplicates, as if all of it were read.
  package enum Rest: String, Sendable {
    /// All events of the beginning have ids.
    case ids
    /// The log has the events of the beginning and no others: an event without an id is not yet there.
    case only
  }

  /// A file whose content is the beginning of another, or all of it.
  package struct Beginning: Sendable {
    package let file: File
    let digest: ContentDigest

    /// The size in bytes.
    package var byteCount: Int64 { file.byteCount }
    /// The number of lines.
    package var lineCount: Int64 { file.counts.records + file.counts.blankLines }
    /// How the events behind it are told from duplicates.
    package var rest: Rest? { file.rest }
    /// The number of events of the log after it was imported.
    package var position: UInt64 { file.position }
  }

  /// The counts of an import in one file.
  package struct Counts: Hashable, Sendable {
    var records: Int64
    var events: Int64
    var blankLines: Int64
    var textBytes: Int64
    var ignored: [String: Int64]
    /// The number of events that were not stored because another has their id.
    var refused: Int64 = 0
    /// The number of records that were rejected. A file with such is read again.
    var rejected: Int64 = 0
  }

  /// The number of files that are kept, the latest ones.
  static let limit = 4_096
  private static let version: Int64 = 1

  let key: FingerprintKey
  private(set) var files: [File] = []

  /// Creates an empty collection.
  package init(key: FingerprintKey = .random()) { self.key = key }

  /// Whether there are no files.
  package var isEmpty: Bool { files.isEmpty }

  /// Returns the file of the same settings, size and content, whose events the log still has; nil if there is none.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file.
  ///   - settings: The settings of the import.
  ///   - log: The log.
  /// - Returns: The file.
  /// - Complexity: O(size of the file), if a file of the same settings and size was imported.
  package func find(_ path: String, settings: String, in log: LogReader) -> File? {
    guard let size = FileContent.size(path) else { return nil }
    return filesLike(path) { $0.byteCount == size && $0.isWhole(settings, in: log) }.last?.file
  }

  /// Returns the longest beginning of a file that was imported with the same settings, line by line and without
  /// objections, and whose events the log still has, if those behind it can be told from duplicates; nil if there is
  /// none.
  ///
  /// - Complexity: O(size of the beginning), if a shorter file of the same settings was imported.
  package func findBeginning(_ path: String, settings: String, in log: LogReader) -> Beginning? {
    guard let size = FileContent.size(path) else { return nil }
    return filesLike(path) {
      $0.byteCount < size && $0.isWhole(settings, in: log) && $0.counts.refused == 0
        && $0.counts.textBytes == $0.byteCount && $0.canGoOn(at: log.eventCount)
    }.filter(\.digest.endsLine).max { $0.file.byteCount < $1.file.byteCount }
  }

  /// Returns the earlier imports of a file's content, or of its beginning under the same name, with another format or
  /// mapping. The events of such a file may come a second time with other content. Another experiment is no correction.
  /// They count also where the log was rewritten since, and may not have the events any more.
  ///
  /// - Complexity: O(size of the file), if there are such of the same size, or shorter ones of the same name.
  package func findOthers(_ path: String, settings: String, in log: LogReader) -> [File] {
    guard let size = FileContent.size(path) else { return [] }
    return filesLike(path) {
      $0.position <= log.eventCount && !$0.isRead(like: settings)
        && ($0.byteCount == size || $0.byteCount < size && $0.name == File.name(of: settings))
    }.map(\.file)
  }

  /// Returns the earlier imports, with other settings, of content that was read already.
  package func findOthers(
    _ content: ContentRecorder, settings: String, in log: LogReader
  ) -> [File] {
    let digest = content.digest
    return files.filter {
      $0.byteCount == digest.byteCount && $0.digest == digest.value()
        && !$0.isRead(like: settings) && $0.position <= log.eventCount
    }
  }

  /// Returns the files whose content is that of another, or of its beginning.
  private func filesLike(_ path: String, where isCandidate: (File) -> Bool) -> [Beginning] {
    let candidates = files.filter(isCandidate)
    let digests = FileContent.digests(path, key: key, at: Set(candidates.map(\.byteCount)))
    return candidates.compactMap { file in
      guard let digest = digests[file.byteCount], digest.value() == file.digest else { return nil }
      return Beginning(file: file, digest: digest)
    }
  }

  /// Adds a file, instead of an earlier one with the same settings and content.
  package mutating func add(
    _ content: ContentRecorder, settings: String, _ counts: Counts, kinds: UInt32 = 0,
    rest: Rest? = nil, in log: LogReader
  ) {
    let digest = content.digest.value()
    files.removeAll { $0.settings == settings && $0.digest == digest }
    files.append(
      File(
        settings: settings, byteCount: content.digest.byteCount, digest: digest,
        position: log.eventCount, checksum: log.checksum(before: log.eventCount),
        counts: counts, kinds: kinds, rest: rest))
    if files.count > Self.limit { files.removeFirst(files.count - Self.limit) }
  }
}

extension ImportHistory.File {
  /// The name of a file without its folder and extension, which is the last of the settings beside a mapping.
  static func name(of settings: String) -> Substring? {
    let lines = settings.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.count > 2 ? lines[2] : nil
  }

  fileprivate var name: Substring? { Self.name(of: settings) }

  /// Returns whether it was read with some settings, and wholly, and a log still has the events.
  fileprivate func isWhole(_ settings: String, in log: LogReader) -> Bool {
    self.settings == settings && counts.rejected == 0 && isPresent(in: log)
  }

  /// Returns whether the events behind it can be told from duplicates in a log that has it and so many events.
  package func canGoOn(at eventCount: UInt64) -> Bool {
    rest == .ids || rest == .only && position == eventCount
  }

  /// Returns whether a log still has the events.
  fileprivate func isPresent(in log: LogReader) -> Bool {
    position <= log.eventCount && checksum == log.checksum(before: position)
  }

  /// Whether other settings have the same format and mapping, whatever the names of the experiment and the file.
  fileprivate func isRead(like others: String) -> Bool {
    func reading(_ settings: String) -> [Substring] {
      let lines = settings.split(separator: "\n", omittingEmptySubsequences: false)
      return Array(lines.prefix(1) + lines.dropFirst(3))
    }
    return reading(settings) == reading(others)
  }

  /// Returns the settings that others do not have: the format, the experiment and entries of a mapping.
  package func settings(besides others: String) -> [String] {
    let known = Set(others.split(separator: "\n"))
    return settings.split(separator: "\n").filter { !known.contains($0) }.map(String.init)
  }

  /// Whether it may have had events of some kinds, as bits.
  package func mayHaveHad(kinds: UInt32) -> Bool { self.kinds == 0 || self.kinds & kinds != 0 }
}

// MARK: JSON

extension ImportHistory {
  /// Reads a collection; nil if the bytes are not one, for whatever reason.
  package init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes), value["version"]?.integer == Self.version,
      let key = Self.fingerprint(value["key"]), let list = value["files"]?.array
    else { return nil }
    self.key = FingerprintKey(first: key.high, second: key.low)
    files = list.compactMap(Self.file)
  }

  /// The collection as JSON, with a line for each file.
  package var bytes: [UInt8] {
    var output = Array("{\"version\":\(Self.version),\"key\":".utf8)
    Self.value(Fingerprint(high: key.first, low: key.second)).write(to: &output)
    output.append(contentsOf: ",\"files\":[".utf8)
    for (index, file) in files.enumerated() {
      output.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
      Self.value(file).write(to: &output)
    }
    output.append(contentsOf: "\n]}\n".utf8)
    return output
  }

  private static func value(_ file: File) -> JSONValue {
    let ignored = file.counts.ignored.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return [
      "settings": .string(file.settings), "bytes": .integer(file.byteCount),
      "digest": value(file.digest), "position": .integer(Int64(clamping: file.position)),
      "checksum": .integer(Int64(file.checksum)), "records": .integer(file.counts.records),
      "events": .integer(file.counts.events), "blank_lines": .integer(file.counts.blankLines),
      "text_bytes": .integer(file.counts.textBytes),
      "ignored": .object(
        JSONObject(ignored.map { .init(name: $0.key, value: .integer($0.value)) })),
      "kinds": .integer(Int64(file.kinds)), "refused": .integer(file.counts.refused),
      "rejected": .integer(file.counts.rejected),
      "rest": file.rest.map { .string($0.rawValue) } ?? .null,
    ]
  }

  private static func file(_ value: JSONValue) -> File? {
    guard let settings = value["settings"]?.string, let byteCount = count(value["bytes"]),
      let digest = fingerprint(value["digest"]), let position = count(value["position"]),
      let checksum = count(value["checksum"]).flatMap({ UInt32(exactly: $0) }),
      let records = count(value["records"]), let events = count(value["events"]),
      let blankLines = count(value["blank_lines"]), let textBytes = count(value["text_bytes"]),
      let members = value["ignored"]?.object
    else { return nil }
    var ignored: [String: Int64] = [:]
    for member in members.members {
      guard let number = count(member.value) else { return nil }
      ignored[member.name] = number
    }
    return File(
      settings: settings, byteCount: byteCount, digest: digest, position: UInt64(position),
      checksum: checksum,
      counts: Counts(
        records: records, events: events, blankLines: blankLines, textBytes: textBytes,
        // Earlier versions did not note what follows.
        ignored: ignored, refused: count(value["refused"]) ?? 0,
        rejected: count(value["rejected"]) ?? 0),
      kinds: count(value["kinds"]).flatMap { UInt32(exactly: $0) } ?? 0,
      rest: value["rest"]?.string.flatMap { Rest(rawValue: $0) })
  }

  private static func count(_ value: JSONValue?) -> Int64? {
    value?.integer.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// A fingerprint as 32 hexadecimal digits.
  private static func value(_ fingerprint: Fingerprint) -> JSONValue {
    .string(fingerprint.high.hexadecimal + fingerprint.low.hexadecimal)
  }

  private static func fingerprint(_ value: JSONValue?) -> Fingerprint? {
    guard let text = value?.string, text.utf8.count == 32,
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.dropFirst(16), radix: 16)
    else { return nil }
    return Fingerprint(high: high, low: low)
  }
}
