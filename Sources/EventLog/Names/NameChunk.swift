/// The names that a chunk of a frame adds to a vocabulary: one for each code, in order, nil if the name was erased.
///
///     names chunk = the bitmap of the codes that have a name, if the column's flags say so; text stream of
///                   the present names. The entry's `values` counts the codes, with and without name.
struct NameChunk: Sequence {
  /// The codes that have a name; nil if all have.
  let present: Bitmap?
  /// The present names.
  let texts: TextList

  /// The number of codes that the chunk assigns.
  let count: Int

  /// Reads the chunk of an entry.
  init(_ raw: ArraySlice<UInt8>, _ entry: ColumnEntry) throws(ColumnError) {
    count = Int(entry.values)
    guard entry.hasGaps else {
      present = nil
      texts = try TextStream.read(raw, count: count)
      return
    }
    // Checked before a bitmap is allocated for them.
    guard (count + 63) / 64 * 8 <= raw.count else {
      throw ColumnError("\(count) names in \(raw.count) bytes")
    }
    var reader = LittleEndianReader(raw)
    let present = try Bitmap.read(&reader, count: count)
    let stream = try reader.take(reader.remaining)
    texts =
      present.setCount == 0 && stream.isEmpty
      ? TextList() : try TextStream.read(stream, count: present.setCount)
    self.present = present
  }

  struct Iterator: IteratorProtocol {
    let chunk: NameChunk
    var code = 0
    var text = 0

    mutating func next() -> ArraySlice<UInt8>?? {
      guard code < chunk.count else { return nil }
      defer { code += 1 }
      if let present = chunk.present, !present[code] { return .some(nil) }
      defer { text += 1 }
      return chunk.texts[text]
    }
  }

  func makeIterator() -> Iterator { Iterator(chunk: self) }
}
