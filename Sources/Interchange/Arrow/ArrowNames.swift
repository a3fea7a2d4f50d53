internal import Arrow
internal import EventLog
internal import Events

/// The dictionaries of an exported stream: the names of the log, without those that were erased.
struct ArrowNames: Sendable {
  /// By raw value of the vocabulary, the index of each code in the dictionary; -1 for none.
  private(set) var indices: [UInt8: [Int32]] = [:]
  private let names: LogNames

  /// Creates the dictionaries that some columns need.
  init(_ columns: [ArrowEventColumn], _ names: LogNames) {
    self.names = names
    for vocabulary in Set(columns.compactMap(\.vocabulary)) {
      var index: Int32 = -1
      indices[vocabulary.rawValue] = (0..<names.codeLimit(vocabulary)).map { code in
        guard names.bytes(code, in: vocabulary) != nil else { return -1 }
        index += 1
        return index
      }
    }
  }

  /// Returns the index of a name; nil if the log has none of it.
  func index(_ name: ArraySlice<UInt8>, _ vocabulary: Vocabulary) -> Int32? {
    names.code(ofBytes: name, in: vocabulary).flatMap { code in
      indices[vocabulary.rawValue].map { $0[Int(code)] }
    }
  }

  /// Returns a column of a field that is a text or a name.
  func field(_ column: ArrowEventColumn) -> any ArrowRowColumn {
    let field = column.text ?? .unit
    guard let vocabulary = column.vocabulary else {
      return ArrowTexts { event in
        event[field].isPresent ? event.bytes[event[field].range] : nil
      }
    }
    return ArrowValues<Int32> { event in
      event[field].isPresent ? index(event.bytes[event[field].range], vocabulary) : nil
    }
  }

  /// Appends the dictionaries, each once, in the order of their numbers.
  func append(_ columns: [ArrowEventColumn], _ encoder: ArrowStreamEncoder, to bytes: inout [UInt8]) {
    for vocabulary in Vocabulary.allCases where indices[vocabulary.rawValue] != nil {
      var texts = TextBuilder()
      for code in 0..<names.codeLimit(vocabulary) {
        if let name = names.bytes(code, in: vocabulary) { texts.append(name) }
      }
      encoder.appendDictionary(Int64(vocabulary.rawValue), texts.take(), to: &bytes)
    }
    if columns.contains(.type) {
      append(EventKind.allCases.map(\.name), ArrowColumns.kindDictionary, encoder, to: &bytes)
    }
    if columns.contains(.status) {
      append(EventStatus.allCases.map(\.name), ArrowColumns.statusDictionary, encoder, to: &bytes)
    }
  }

  private func append(
    _ names: [String], _ id: Int64, _ encoder: ArrowStreamEncoder, to bytes: inout [UInt8]
  ) {
    var texts = TextBuilder()
    for name in names { texts.append(Array(name.utf8)[...]) }
    encoder.appendDictionary(id, texts.take(), to: &bytes)
  }
}
