/// The choices of the decisions of a batch: a small number for each row, and the list of variants that each number
/// stands for. Few rows have a list of their own, so look up each list once.
///
/// The numbers are valid for one batch only, because each batch numbers its lists anew.
public struct ChoiceColumn: Sendable {
  /// For each row 0 if no choices are given, else the number of its list: 1 for the first distinct list of the batch,
  /// 2 for the next new one, and so on.
  public internal(set) var codes: [UInt32] = []
  /// For each list its code in the log's vocabulary of lists, which is the same in every batch; 1 for a list without a
  /// code, because it is long or came after many others.
  public private(set) var logCodes: [UInt32] = []
  /// The concatenated variant codes of all lists.
  private var variants: [UInt32] = []
  private var starts: [Int] = [0]

  init() {}

  /// The number of lists. Lists without a code of their own may occur more than once.
  public var listCount: Int { logCodes.count }

  /// Returns the codes of the variants of a list, in order; empty for the number 0 and for an unused one.
  public func variants(of list: UInt32) -> ArraySlice<UInt32> {
    guard list > 0, list <= logCodes.count else { return [] }
    return variants[starts[Int(list) - 1]..<starts[Int(list)]]
  }

  /// Returns the number of choices of a list; 0 for the number 0 and for an unused one.
  public func count(of list: UInt32) -> Int { variants(of: list).count }

  // MARK: Filling

  /// Removes all lists.
  mutating func removeLists() {
    logCodes.removeAll(keepingCapacity: true)
    variants.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
  }

  /// Appends a variant to the list that is completed next.
  mutating func append(_ variant: UInt32) { variants.append(variant) }

  /// Completes a list, whose number is then ``listCount``.
  mutating func endList(_ logCode: UInt32) {
    logCodes.append(logCode)
    starts.append(variants.count)
  }

  /// Removes the variants that were appended since the last completed list.
  mutating func dropList() { variants.removeLast(variants.count - starts[starts.count - 1]) }
}

/// Reads the choices of frames as columns, decoding each list once per frame.
struct ChoiceReader: Sendable {
  /// Buffers that a thread reuses from frame to frame.
  struct Buffers {
    /// By code of the list, its number in the batch; 0 before its first occurrence, and if it is lost.
    fileprivate var numbers: [UInt32] = []
    /// The codes of the lists in the batch.
    fileprivate var met: [UInt32] = []
    fileprivate var hidden: [Int] = []

    fileprivate mutating func keep(_ number: UInt32, of code: UInt32) {
      numbers[Int(code)] = number
      met.append(code)
    }
  }

  private let log: LogReader
  private let names: LogNames

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - names: The names of its lists and variants.
  init(_ log: LogReader, _ names: LogNames) {
    self.log = log
    self.names = names
  }

  func makeBuffers() -> Buffers {
    Buffers(numbers: Array(repeating: 0, count: Int(log.codeLimit(.lists))))
  }

  /// Reads the choices of a frame into the batch, and treats events as lost whose list, or a variant of it, has no
  /// name any more.
  ///
  /// - Throws: ``LogError`` if they cannot be read.
  func load(
    _ reader: FrameReader, into batch: inout EventBatch, _ own: inout Buffers,
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    for code in own.met { own.numbers[Int(code)] = 0 }
    own.met.removeAll(keepingCapacity: true)
    own.hidden.removeAll(keepingCapacity: true)
    batch.choices.removeLists()
    try reader.codes(.choices, in: .lists, into: &batch.choices.codes, &buffers)
    let literals = try CodedTexts.literals(reader, .choices, key: 0, batch.choices.codes)
    try number(&batch.choices, literals, reader, &own)
    for row in own.hidden { batch.hide(row: row) }
  }

  /// Assigns each row the number of its list.
  private func number(
    _ column: inout ChoiceColumn, _ literals: TextList, _ reader: FrameReader, _ own: inout Buffers
  ) throws(LogError) {
    // Moved out, so that numbers can be written while lists are added.
    var taken = column.codes
    column.codes = []
    defer { column.codes = taken }
    var codes = taken.mutableSpan
    var nextLiteral = 0
    for row in codes.indices {
      let code = codes[row]
      // No number is stored for code 1, which marks a list without a code of its own, or for code 0.
      var number = own.numbers[Int(code)]
      if number == 0, code != 0 {
        let isLiteral = code == Vocabulary.literalCode
        let text = isLiteral ? literals[nextLiteral] : names.bytes(code, in: .lists)
        nextLiteral += isLiteral ? 1 : 0
        if let lost = try add(text, code, row, reader, &column) {
          try log.passOver(log.unnamed(.choices, lost, row: row, of: reader.frame))
          own.hidden.append(row)
        } else {
          number = UInt32(column.listCount)
          if !isLiteral { own.keep(number, of: code) }
        }
      }
      codes[row] = number
    }
  }

  /// Adds a list.
  ///
  /// - Returns: The first code, that of the list or of one of its variants, without a name; nil if all have one.
  private func add(
    _ text: ArraySlice<UInt8>?, _ code: UInt32, _ row: Int, _ reader: FrameReader,
    _ column: inout ChoiceColumn
  ) throws(LogError) -> UInt32? {
    guard let text else { return code }
    var lost: UInt32?
    do throws(ColumnError) {
      try CodedTexts.requireLength(text, code, .lists)
      try CodedTexts.forEachItem(of: text) { variant throws(ColumnError) in
        if names.bytes(variant, in: .variants) == nil { lost = lost ?? variant }
        column.append(variant)
      }
    } catch {
      throw log.damage("row \(row): \(error.reason)", reader.frame)
    }
    if lost == nil { column.endList(code) } else { column.dropList() }
    return lost
  }
}
