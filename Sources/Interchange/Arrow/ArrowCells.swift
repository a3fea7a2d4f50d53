internal import Arrow
internal import Events

/// A column of a batch, unpacked as far as its type allows.
///
/// A class, so that a column is not copied for each row.
final class ArrowCells: Sendable {
  let values: ArrowColumn
  let texts: TextCells?
  let numbers: NumberCells?
  let flags: FlagCells?
  /// The fields of structs, the elements of lists or the entries of maps.
  let children: [ArrowCells]
  /// The name of the column.
  let name: [UInt8]
  let nesting: Nesting
  /// Whether the values are floating-point numbers.
  let isFloatingPoint: Bool
  private let elements: [Range<Int>]
  /// For each row whether it is null.
  private let nulls: [Bool]

  /// What a value consists of.
  enum Nesting {
    case single, list, map, structure
  }

  init(_ values: ArrowColumn) {
    self.values = values
    nulls = values.nulls
    (texts, numbers) = (TextCells(values, nulls), NumberCells(values, nulls))
    flags = FlagCells(values)
    children = values.children.map { ArrowCells($0) }
    name = Array(values.field.name.utf8)
    switch values.field.type {
    case _ where values.dictionary != nil: nesting = .single
    case .list, .fixedSizeList: nesting = .list
    case .map: nesting = .map
    case .structure: nesting = .structure
    default: nesting = .single
    }
    let hasElements = nesting == .list || nesting == .map
    elements = hasElements ? (0..<values.count).map { values.elements($0) } : []
    if case .floatingPoint = values.field.type { isFloatingPoint = true } else { isFloatingPoint = false }
  }

  /// The elements of lists; nil for other types.
  var items: ArrowCells? { nesting == .list ? children[0] : nil }

  /// Whether a row is null.
  @inline(__always)
  func isNull(_ row: Int) -> Bool { nulls[row] }

  /// The elements of a row's list, as rows of `items`, or the entries of its map.
  @inline(__always)
  func elements(of row: Int) -> Range<Int> { elements[row] }
}

/// The texts of a column of a batch, unpacked so that a row's is found without looking at the column's type.
///
/// A class, so that columns of an array are not copied for each row; all of it is constant, so that reading a row
/// checks for no other access.
final class TextCells: Sendable {
  private let bytes: [UInt8]
  private let starts: [Int]
  private let counts: [Int32]
  /// For each row the index of its text; -1 for null.
  private let places: [Int32]

  /// Unpacks a column of texts, with or without dictionary; nil for another type.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - nulls: Its nulls.
  init?(_ column: ArrowColumn, _ nulls: [Bool]) {
    let parts = column.dictionary?.parts ?? [column]
    guard parts.allSatisfy({ $0.field.type == .utf8 || $0.field.type == .text(isLarge: true) }),
      column.count < Int(Int32.max)
    else { return nil }
    bytes = parts.count == 1 ? parts[0].bytes : parts.flatMap(\.bytes)
    var starts: [Int] = []
    var counts: [Int32] = []
    var offset = 0
    for part in parts {
      starts.reserveCapacity(starts.count + part.count)
      counts.reserveCapacity(counts.count + part.count)
      for row in 0..<part.count {
        let range = part.isNull(row) ? 0..<0 : part.byteRange(row)
        starts.append(offset + range.lowerBound)
        counts.append(Int32(clamping: range.count))
      }
      offset += part.bytes.count
    }
    (self.starts, self.counts) = (starts, counts)
    let isCoded = column.dictionary != nil
    places = (0..<column.count).map { row in
      nulls[row]
        ? -1 : isCoded ? Int32(truncatingIfNeeded: column.integer(row)) : Int32(row)
    }
  }

  /// Whether a row is null.
  @inline(__always)
  func isNull(_ row: Int) -> Bool { places[row] < 0 }

  /// Adds the text of a row, which is not null, to an event.
  @inline(__always)
  func add(_ row: Int, to event: inout EventRecord) -> EventRecord.Slice {
    let place = Int(places[row])
    let start = starts[place]
    let bytes = bytes
    return event.add(bytes.span.extracting(start..<start + Int(counts[place])))
  }

  /// Returns the index of the text of a row, which is the same for rows with the same value of a dictionary; -1 for
  /// null.
  func place(_ row: Int) -> Int { Int(places[row]) }

  /// Returns something for each distinct place.
  func map<Value>(_ body: (ArraySlice<UInt8>) -> Value) -> [Value] {
    starts.indices.map { body(bytes[starts[$0]..<starts[$0] + Int(counts[$0])]) }
  }

  /// The number of texts that rows refer to.
  var textCount: Int { starts.count }
}

/// The numbers of a column of a batch.
struct NumberCells {
  /// For each row the number; not a number for null.
  private var numbers: [Double] = []

  /// Unpacks a column of floating-point numbers or integers; nil for another type, or if a number is not finite.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - nulls: Its nulls.
  init?(_ column: ArrowColumn, _ nulls: [Bool]) {
    guard column.dictionary == nil else { return nil }
    numbers.reserveCapacity(column.count)
    switch column.field.type {
    case .floatingPoint:
      for row in 0..<column.count {
        let (number, isNull) = (column.number(row), nulls[row])
        guard isNull || number.isFinite else { return nil }
        numbers.append(isNull ? .nan : number)
      }
    case .integer(let bits, let isSigned) where bits < 64 || isSigned:
      for row in 0..<column.count {
        numbers.append(nulls[row] ? .nan : Double(column.integer(row)))
      }
    default: return nil
    }
  }

  /// Returns the number of a row; nil for null.
  @inline(__always)
  subscript(row: Int) -> Double? { numbers[row].isNaN ? nil : numbers[row] }
}

/// The truth values of a column of a batch.
struct FlagCells {
  private let flags: [Bool]

  /// Unpacks a column; nil for another type, and for one with a dictionary.
  init?(_ column: ArrowColumn) {
    guard column.field.type == .boolean, column.dictionary == nil else { return nil }
    flags = (0..<column.count).map { column.flag($0) }
  }

  /// The truth value of a row, which is not null.
  subscript(row: Int) -> Bool { flags[row] }
}

/// The times of a column of timestamps or dates of a batch.
struct TimeCells {
  private var times: [Int64] = []

  /// Unpacks a column; nil for another type, for one with a dictionary, and if a time is null or out of range.
  init?(_ column: ArrowColumn) {
    guard column.nullCount == 0, column.dictionary == nil else { return nil }
    times.reserveCapacity(column.count)
    for row in 0..<column.count {
      guard let time = ArrowText.time(column, row) else { return nil }
      times.append(time.microseconds)
    }
  }

  /// The time of a row.
  subscript(row: Int) -> Timestamp { Timestamp(microseconds: times[row]) }
}
