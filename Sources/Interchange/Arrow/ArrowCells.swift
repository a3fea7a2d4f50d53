internal import Arrow
internal import Events

/// The texts of a column of a batch, unpacked so that a row's is found without looking at the column's type.
///
/// A class, so that columns of an array are not copied for each row; all of it is constant, so that reading a row
/// checks for no other access.
final class TextCells {
  private let bytes: [UInt8]
  private let starts: [Int]
  private let counts: [Int32]
  /// For each row the index of its text; -1 for null.
  private let places: [Int32]

  /// Unpacks a column of texts, with or without dictionary; nil for another type.
  init?(_ column: ArrowColumn) {
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
      column.isNull(row)
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
  init?(_ column: ArrowColumn) {
    guard column.dictionary == nil else { return nil }
    numbers.reserveCapacity(column.count)
    switch column.field.type {
    case .floatingPoint:
      for row in 0..<column.count {
        let number = column.number(row)
        guard column.isNull(row) || number.isFinite else { return nil }
        numbers.append(column.isNull(row) ? .nan : number)
      }
    case .integer(let bits, let isSigned) where bits < 64 || isSigned:
      for row in 0..<column.count {
        numbers.append(column.isNull(row) ? .nan : Double(column.integer(row)))
      }
    default: return nil
    }
  }

  /// Returns the number of a row; nil for null.
  @inline(__always)
  subscript(row: Int) -> Double? { numbers[row].isNaN ? nil : numbers[row] }
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
