/// The names of units by code: in memory up to a limit, the others in a temporary file.
struct UnitNames: Sendable {
  /// Names that were spilled to disk: their concatenated bytes, and the start of each.
  private struct Spilled: Sendable {
    let texts: TemporaryFile
    let starts: TemporaryFile
    var count = 0
    var byteCount = 0
  }

  private let path: String
  private let memoryLimit: Int
  private var resident = TextList()
  private var spilled: Spilled?
  private var codes = CodeRuns(firstCode: 1)

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - path: The folder for temporary files: that of the log, or if it is not writable, the system's own.
  ///   - memoryLimit: The maximum size in bytes of the names kept in memory.
  init(path: String, memoryLimit: Int = 48 << 20) {
    self.path = path
    self.memoryLimit = memoryLimit
  }

  /// The code of the next name.
  var nextCode: UInt32 { codes.nextCode }

  /// Leaves codes without a name, because it was erased or lost.
  mutating func appendHoles(_ count: UInt32) { codes.appendHoles(count) }

  mutating func append(_ names: NameChunk) throws(LogError) {
    for name in names {
      guard let name else {
        codes.appendHoles(1)
        continue
      }
      resident.append(name)
      codes.append()
    }
    if resident.bytes.count + 8 * resident.count > memoryLimit { try spill() }
  }

  /// Returns the name of a code; nil if there is no such code.
  subscript(code: UInt32) -> ArraySlice<UInt8>? {
    get throws(LogError) {
      guard let index = codes.index(of: code) else { return nil }
      let spilledCount = spilled?.count ?? 0
      guard index < spilledCount, let spilled else { return resident[index - spilledCount] }
      return try FingerprintMapError.translated(path) { () throws(FingerprintMapError) in
        var bounds: [UInt8] = []
        try spilled.starts.read(16, at: index * 8, into: &bounds)
        let start = Self.number(bounds[0..<8])
        let end = Self.number(bounds[8..<16])
        var text: [UInt8] = []
        try spilled.texts.read(end - start, at: start, into: &text)
        return text[0..<end - start]
      }
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func spill() throws(LogError) {
    var target = if let spilled { spilled } else { try makeFiles() }
    let names = resident
    try FingerprintMapError.translated(path) { () throws(FingerprintMapError) in
      // The end of the last name is in the file already; the very first start is 0.
      var starts: [UInt8] = []
      if target.count == 0 { starts.appendLittleEndian(0 as UInt64) }
      for end in names.starts.dropFirst() {
        starts.appendLittleEndian(UInt64(target.byteCount + end))
      }
      try target.texts.append(names.bytes)
      try target.starts.append(starts)
    }
    target.count += names.count
    target.byteCount += names.bytes.count
    spilled = target
    resident = TextList()
  }

  private func makeFiles() throws(LogError) -> Spilled {
    try FingerprintMapError.translated(path) { () throws(FingerprintMapError) in
      do throws(FingerprintMapError) {
        return try Self.makeFiles(in: path)
      } catch {
        return try Self.makeFiles(in: "/tmp")
      }
    }
  }

  private static func makeFiles(in folder: String) throws(FingerprintMapError) -> Spilled {
    Spilled(
      texts: try TemporaryFile(directory: folder), starts: try TemporaryFile(directory: folder))
  }
}
