/// What the decisions of a batch could choose from: a small number for each row, and the variants that each of the
/// numbers stands for. Few rows have a list of their own, so whoever needs the variants looks each list up once.
///
/// The numbers hold for one batch only, because the next one has lists of its own.
public struct ChoiceColumn: Sendable {
  /// For each row 0 where no choices are given, else the number of its list: 1 for the one that came first in the
  /// batch, 2 for the next new one, and so on.
  public internal(set) var codes: [UInt32] = []
  /// For each list its code in the log's vocabulary of lists, which is the same in every batch; 1 for a list that has
  /// none of its own, because it is long or came after many others.
  public private(set) var logCodes: [UInt32] = []
  /// The codes of the variants of all lists, one after the other.
  private var variants: [UInt32] = []
  private var starts: [Int] = [0]

  init() {}

  /// How many lists there are. Lists without a code of their own may be there more than once.
  public var listCount: Int { logCodes.count }

  /// The codes of the variants of a list, in order; nothing for the number 0 and for one that no list has.
  public func variants(of list: UInt32) -> ArraySlice<UInt32> {
    guard list > 0, list <= logCodes.count else { return [] }
    return variants[starts[Int(list) - 1]..<starts[Int(list)]]
  }

  /// How many choices a list has; 0 for the number 0 and for one that no list has.
  public func count(of list: UInt32) -> Int { variants(of: list).count }

  // MARK: Filling

  /// Forgets all lists.
  mutating func removeLists() {
    logCodes.removeAll(keepingCapacity: true)
    variants.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
  }

  /// Adds a variant to the list that is ended next.
  mutating func append(_ variant: UInt32) { variants.append(variant) }

  /// Ends a list: its number is ``listCount`` then.
  mutating func endList(_ logCode: UInt32) {
    logCodes.append(logCode)
    starts.append(variants.count)
  }

  /// Takes the variants back that were appended since the last list ended.
  mutating func dropList() { variants.removeLast(variants.count - starts[starts.count - 1]) }
}

/// Reads the choices of frames as columns, each list once for a frame.
struct ChoiceReader: Sendable {
  /// What a thread uses again from frame to frame.
  struct Buffers {
    /// By code of the list: its number in the batch; 0 before it comes, and when it is lost.
    fileprivate var numbers: [UInt32] = []
    /// The lists that came.
    fileprivate var met: [UInt32] = []
    fileprivate var hidden: [Int] = []

    fileprivate mutating func keep(_ number: UInt32, of code: UInt32) {
      numbers[Int(code)] = number
      met.append(code)
    }
  }

  private let log: LogReader
  private let names: LogNames

  /// - Parameters:
  ///   - log: The log.
  ///   - names: Its lists and variants.
  init(_ log: LogReader, _ names: LogNames) {
    self.log = log
    self.names = names
  }

  func makeBuffers() -> Buffers {
    Buffers(numbers: Array(repeating: 0, count: Int(log.codeLimit(.lists))))
  }

  /// Reads the choices of a frame into the batch, and takes those events for lost whose list, or a variant of it, has
  /// no name any more.
  ///
  /// - Throws: ``LogError`` when they cannot be read.
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

  /// Gives each row the number of its list.
  private func number(
    _ column: inout ChoiceColumn, _ literals: TextList, _ reader: FrameReader, _ own: inout Buffers
  ) throws(LogError) {
    // Taken out, so that numbers can be written while lists are added.
    var taken = column.codes
    column.codes = []
    defer { column.codes = taken }
    var codes = taken.mutableSpan
    var nextLiteral = 0
    for row in codes.indices {
      let code = codes[row]
      // No number is kept for code 1, which says that a list has no code of its own, and none for code 0.
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
  /// - Returns: The first code, that of the list or of one of its variants, that has no name; nil when all do.
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
