import Specifications

/// A column of an input, with what its first records have in it.
struct SampledColumn: Sendable {
  let name: String
  /// The content of the first record that has any, shortened; nil if none has.
  private(set) var example: String?
  /// The numbers of the records that have content, from 0; empty if none was read.
  private(set) var records: [Int] = []
  /// Whether each content is a number, true or false.
  private(set) var isNumeric = true
  /// Whether each content says yes or no: 1 or 0, true or false.
  private(set) var isTruth = true
  /// Some of the contents: all of them if there are few.
  private(set) var texts: Set<String> = []

  /// The number of different contents that are kept.
  static let mostTexts = 100
  private static let truths: Set<String> = ["true", "false"]
  private static let answers: Set<String> = ["yes", "no", "t", "f", "y", "n"]

  init(_ name: String, example: String? = nil) { (self.name, self.example) = (name, example) }

  /// Whether it is known to have amounts: numbers other than 0 and 1.
  var hasAmounts: Bool { !records.isEmpty && isNumeric && !isTruth }

  /// Whether it may say how much or whether: nothing else is known to be in it.
  var isAmount: Bool { records.isEmpty || isNumeric || isTruth }

  /// Adds the content of a record.
  mutating func add(_ text: ArraySlice<UInt8>, _ number: Double?, ofRecord record: Int) {
    guard !text.isEmpty, records.last != record else { return }
    records.append(record)
    if example == nil { example = InputSample.example(text) }
    let word = String(decoding: text.prefix(64), as: UTF8.self).lowercased()
    isNumeric = isNumeric && (number != nil || Self.truths.contains(word))
    isTruth =
      isTruth
      && (number == 0 || number == 1 || Self.truths.contains(word) || Self.answers.contains(word))
    if texts.count < Self.mostTexts { texts.insert(word) }
  }
}

/// Notes what the columns of the first records have, as an import reads them: an object in a text is unpacked.
final class ColumnSampler: FieldReader {
  private static let mostRecords = 1_000
  private static let mostFields = 1 << 18

  private var columns: [SampledColumn]
  private var places: [NameKey: Int] = [:]
  /// The columns that are objects, of which the fields are columns of their own.
  private var objects: Set<NameKey> = []
  private var recordCount = 0
  private var fieldCount = 0

  /// Reads the beginning of a table.
  ///
  /// - Parameters:
  ///   - bytes: The table, of which nothing has been consumed.
  ///   - columns: The columns that are known.
  /// - Returns: The columns.
  /// - Throws: ``ImportError`` if the input as a whole is invalid.
  static func columns(
    of bytes: ByteSource, _ columns: [SampledColumn]
  ) throws(ImportError) -> [SampledColumn] {
    let sampler = ColumnSampler(columns)
    try sampler.read(bytes)
    return sampler.known
  }

  /// Reads what is in memory of an input, of which nothing is consumed; the last record may be cut off.
  static func columns(inMemoryOf bytes: ByteSource, _ columns: [SampledColumn]) -> [SampledColumn] {
    let sampler = ColumnSampler(columns)
    try? sampler.read(bytes.piece(Array(bytes.bytes[bytes.window]), at: bytes.offset))
    return sampler.known
  }

  private func read(_ bytes: ByteSource) throws(ImportError) {
    var source = try OwnTable.open(bytes, self)
    var record = ImportedRecord()
    while recordCount < Self.mostRecords, fieldCount < Self.mostFields {
      if case .end = try source.next(&record) { return }
    }
  }

  private var known: [SampledColumn] { columns.filter { !objects.contains(NameKey($0.name)) || !$0.records.isEmpty } }

  private init(_ columns: [SampledColumn]) {
    self.columns = []
    for column in columns where places[NameKey(column.name)] == nil {
      places[NameKey(column.name)] = self.columns.count
      self.columns.append(SampledColumn(column.name))
    }
  }

  func read(_ fields: inout FieldTree, into record: inout ImportedRecord) {
    add(fields.root, prefix: "", fields)
    recordCount += 1
    record.ignore("records")
  }

  private func add(_ object: FieldTree.Field, prefix: String, _ fields: FieldTree) {
    for member in fields.children(of: object) where !fields.isNull(member) {
      let name = prefix + String(decoding: fields.name(of: member), as: UTF8.self)
      fieldCount += 1
      if fields.isObject(member) {
        objects.insert(NameKey(name))
        add(member, prefix: name + ".", fields)
      } else {
        let place = places[NameKey(name)] ?? columns.count
        if place == columns.count {
          places[NameKey(name)] = place
          columns.append(SampledColumn(name))
        }
        columns[place].add(fields.text(member), fields.number(member), ofRecord: recordCount)
      }
    }
  }
}
