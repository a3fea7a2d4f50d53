import Events

extension ImportedRecord {
  /// Sets the ids of all events from several fields that together tell a system's records apart, joined with `#`; the
  /// second and further events get `/2`, `/3` ... after it. An absent field is empty.
  ///
  /// - Parameters:
  ///   - keys: The fields.
  ///   - tree: The fields of the record.
  mutating func identify(joining keys: FieldTree.Field?..., of tree: FieldTree) { identify(joining: keys, of: tree) }

  /// Sets the ids in the same way from a list of fields.
  mutating func identify(joining keys: [FieldTree.Field?], of tree: FieldTree) {
    for index in 0..<count {
      let start = events[index].bytes.count
      for (place, key) in keys.enumerated() {
        if place > 0 { events[index].bytes.append(UInt8(ascii: "#")) }
        if let key { events[index].bytes.append(contentsOf: tree.text(key)) }
      }
      if index > 0 { events[index].bytes.append(contentsOf: "/\(index + 1)".utf8) }
      let length = events[index].bytes.count - start
      events[index][.id] = EventRecord.Slice(start: start, count: length)
    }
  }
}
