/// What the chunks of a column, in one encoding, take.
public struct ColumnUsage: Hashable, Sendable {
  /// The name of the column; `frames` for what is not in a column: headers, directories and trailers.
  public var column: String
  /// The name of the encoding.
  public var encoding: String
  /// How many chunks there are.
  public var chunks = 0
  /// How many of them are compressed with DEFLATE as well.
  public var deflated = 0
  /// How many values they hold.
  public var values = 0
  /// How many bytes they take in the log.
  public var bytes = 0
}

extension LogReader {
  /// What each column takes, in each of its encodings, in ascending order of their names.
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

  /// How many frames with events the log has.
  public var frameCount: Int { frames.count { $0.rows > 0 } }

  /// How many names the log gave codes to in the vocabulary.
  public func nameCount(_ vocabulary: Vocabulary) -> Int {
    Int(codeLimit(vocabulary) - vocabulary.firstCode)
  }

  /// How many bytes of the log the names of the vocabulary take, as they are stored.
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
