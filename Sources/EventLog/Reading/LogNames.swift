/// The names of a log, by code.
///
/// Names of units beyond a memory limit are stored in a temporary file, and read back individually.
public struct LogNames: Sendable {
  /// By raw value of the vocabulary, minus 1; nil if it was not requested.
  private var tables: [NameTable?] = Array(repeating: nil, count: Vocabulary.allCases.count)
  private var units: UnitNames?

  /// Reads the names of some vocabularies of a log.
  ///
  /// - Throws: ``LogError`` if a frame cannot be read or its names do not continue those before.
  /// - Complexity: O(length of the names), in time and memory.
  public init(_ log: LogReader, _ vocabularies: Set<Vocabulary>) throws(LogError) {
    self.init(path: log.path, vocabularies)
    for frame in log.frames { try add(frame, of: log) }
  }

  /// Creates an empty collection for a log at the path.
  package init(path: String, _ vocabularies: Set<Vocabulary>) {
    if vocabularies.contains(.units) { units = UnitNames(path: path) }
    for vocabulary in vocabularies where vocabulary != .units {
      tables[vocabulary.index] = NameTable(firstCode: vocabulary.firstCode)
    }
  }

  /// Adds the names of a frame. If damage is skipped, codes whose names are lost stay without one.
  mutating func add(_ frame: FrameInfo, of log: LogReader) throws(LogError) {
    for entry in frame.entries {
      guard let vocabulary = entry.column.vocabulary, holds(vocabulary) else { continue }
      let next = nextCode(vocabulary)
      guard let first = UInt32(exactly: entry.low), first >= next,
        log.policy == .skip || first == next,
        first <= UInt32.max - entry.values
      else {
        throw log.damage("its codes begin with \(entry.low), not \(next)", entry, frame)
      }
      appendHoles(first - next, vocabulary)
      do throws(LogError) {
        try take(try log.names(entry, of: frame), vocabulary, entry, frame, log)
      } catch {
        try log.passOver(error, noEvent: true)
        let end = first + entry.values
        appendHoles(end - min(end, nextCode(vocabulary)), vocabulary)
      }
    }
  }

  private mutating func take(
    _ names: NameChunk, _ vocabulary: Vocabulary, _ entry: ColumnEntry, _ frame: FrameInfo,
    _ log: LogReader
  ) throws(LogError) {
    if vocabulary == .units {
      // Moved out while it grows, so that it is not copied.
      var grown = units
      units = nil
      defer { units = grown }
      try grown?.append(names)
      return
    }
    guard var table = tables[vocabulary.index] else { return }
    tables[vocabulary.index] = nil
    defer { tables[vocabulary.index] = table }
    for name in names {
      guard let name else {
        table.appendHoles(1)
        continue
      }
      let code = table.nextCode
      guard table.intern(name) == code else {
        throw log.damage("a name occurs twice", entry, frame)
      }
    }
  }

  /// Adds a name with a code that is not below those before it; returns false if the name exists, or is not allowed.
  package mutating func add(_ kept: Kept) -> Bool {
    guard tables[kept.vocabulary.index] != nil else { return false }
    appendHoles(kept.code - nextCode(kept.vocabulary), kept.vocabulary)
    return tables[kept.vocabulary.index]?.intern(kept.name[...]) == kept.code
  }

  private func holds(_ vocabulary: Vocabulary) -> Bool {
    vocabulary == .units ? units != nil : tables[vocabulary.index] != nil
  }

  private func nextCode(_ vocabulary: Vocabulary) -> UInt32 {
    units.flatMap { vocabulary == .units ? $0.nextCode : nil } ?? codeLimit(vocabulary)
  }

  private mutating func appendHoles(_ count: UInt32, _ vocabulary: Vocabulary) {
    guard count > 0 else { return }
    if vocabulary == .units {
      units?.appendHoles(count)
    } else {
      tables[vocabulary.index]?.appendHoles(count)
    }
  }

  /// Returns the bytes of a unit's name; nil if there is no such code.
  ///
  /// - Throws: ``LogError`` if a temporary file fails.
  public func unit(_ code: UInt32) throws(LogError) -> ArraySlice<UInt8>? {
    try units?[code]
  }

  /// Returns the exclusive upper bound of the codes.
  public func codeLimit(_ vocabulary: Vocabulary) -> UInt32 {
    tables[vocabulary.index]?.nextCode ?? vocabulary.firstCode
  }

  /// Returns the bytes of a name of any vocabulary but units; nil if there is no such code.
  public func bytes(_ code: UInt32, in vocabulary: Vocabulary) -> ArraySlice<UInt8>? {
    tables[vocabulary.index]?[code]
  }

  /// Returns a name as text; nil if there is no such code.
  public func string(_ code: UInt32, in vocabulary: Vocabulary) -> String? {
    bytes(code, in: vocabulary).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the code of a name; nil if the log does not have it.
  public func code(of name: String, in vocabulary: Vocabulary) -> UInt32? {
    code(ofBytes: Array(name.utf8)[...], in: vocabulary)
  }

  /// Returns the code of a name given as UTF-8 bytes; nil if the log does not have it.
  package func code(ofBytes name: ArraySlice<UInt8>, in vocabulary: Vocabulary) -> UInt32? {
    tables[vocabulary.index]?.code(of: name)
  }
}

extension LogReader {
  /// Returns the names in a chunk of a frame.
  func names(_ entry: ColumnEntry, of frame: FrameInfo) throws(LogError) -> NameChunk {
    let raw = try chunk(entry, of: frame)
    do throws(ColumnError) {
      return try NameChunk(raw[...], entry)
    } catch {
      throw damage(error.reason, entry, frame)
    }
  }
}
