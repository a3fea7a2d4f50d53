/// The space used by the chunks of a column in one encoding.
public struct ColumnUsage: Hashable, Sendable {
  /// The name of the column; `frames` for headers, directories and trailers.
  public var column: String
  /// The name of the encoding.
  public var encoding: String
  /// The number of chunks.
  public var chunks = 0
  /// The number of chunks that are also compressed with DEFLATE.
  public var deflated = 0
  /// The number of values.
  public var values = 0
  /// The number of bytes in the log.
  public var bytes = 0
}

extension LogReader {
  /// Returns the space used by each column, in each of its encodings, sorted by name.
  ///
  /// - Complexity: O(number of columns of all frames).
  public func columnUsage() -> [ColumnUsage] {
    var usages: [String: ColumnUsage] = [:]
    var inColumns = 0
    for frame in frames {
      for entry in frame.entries {
        let encoding =
          ColumnEncoding(rawValue: entry.encoding)?.name ?? "encoding-\(entry.encoding)"
        let key = entry.column.name + " " + encoding
        var usage =
          usages[key] ?? ColumnUsage(column: entry.column.name, encoding: encoding)
        usage.chunks += 1
        usage.deflated += entry.isDeflated ? 1 : 0
        usage.values += Int(entry.values)
        usage.bytes += Int(entry.storedLength)
        usages[key] = usage
        inColumns += Int(entry.storedLength)
      }
    }
    var rest = ColumnUsage(column: "frames", encoding: "")
    rest.chunks = frames.count
    rest.bytes = Int(byteCount) - inColumns
    return usages.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value) + [
      rest
    ]
  }

  /// The number of frames with events.
  public var frameCount: Int { frames.count { $0.rows > 0 } }

  /// Returns the number of names with a code in the vocabulary.
  public func nameCount(_ vocabulary: Vocabulary) -> Int {
    Int(codeLimit(vocabulary) - vocabulary.firstCode)
  }

  /// Returns the number of bytes that the names of the vocabulary take in the log, as stored.
  ///
  /// - Complexity: O(number of columns of all frames).
  public func nameByteCount(_ vocabulary: Vocabulary) -> Int {
    frames.reduce(0) { sum, frame in
      frame.entries.reduce(sum) {
        $1.column.vocabulary == vocabulary ? $0 + Int($1.storedLength) : $0
      }
    }
  }
}
