public import Events

/// Counts and sums by code, at the speed of reading columns: for example how often each variant was chosen, or the
/// total value of each goal.
///
/// Every code has eight counters and eight sums that rows use in rotation, because a processor that adds to what it
/// has just written must wait for it. The order of additions, and with it the last bits of a sum, depends only on the
/// log.
public struct CodeTally: Sendable {
  private static let laneCount = 8

  private let codeLimit: Int
  /// By code, then by lane. After the last code there is an entry for codes beyond the limit, which is never read.
  private var rows: [Int]
  private var numbers: [Int]
  private var totals: [Double]
  private var pairs = CodePairs()

  /// Creates an empty tally for codes below the limit: that of ``LogReader/codeLimit(_:)``.
  public init(codeLimit: UInt32) {
    self.codeLimit = Int(codeLimit)
    rows = Array(repeating: 0, count: Self.laneCount * (self.codeLimit + 1))
    numbers = rows
    totals = Array(repeating: 0, count: rows.count)
  }

  /// The number of rows of each code.
  public var rowCounts: [Int] {
    folded(rows).enumerated().map { $1 + ($0 < CodePairs.codeLimit ? pairs[$0] : 0) }
  }

  /// The number of numbers added for each code.
  public var numberCounts: [Int] { folded(numbers) }

  /// The sum of the numbers of each code.
  public var sums: [Double] { folded(totals) }

  private func folded<Value: Numeric>(_ lanes: [Value]) -> [Value] {
    (0..<codeLimit).map { code in
      (0..<Self.laneCount).reduce(0) { $0 + lanes[code * Self.laneCount + $1] }
    }
  }

  /// Counts the code of each row of the kind; rows of another kind, which have no such name, count for code 0.
  ///
  /// - Parameters:
  ///   - codes: The code of each row of the batch; codes at or beyond the limit are not counted.
  ///   - kinds: The kind of each row.
  ///   - kind: The kind to count.
  public mutating func count(_ codes: [UInt32], of kinds: [UInt8], _ kind: EventKind) {
    let codeLimit = codeLimit
    guard codes.count == kinds.count else { return }
    if codeLimit <= CodePairs.codeLimit, pairs.count(codes, of: kinds, kind) { return }
    // Safety: both columns have the same count, and there are lanes for every code up to the limit.
    unsafe rows.withUnsafeMutableBufferPointer { rows in
      unsafe codes.withUnsafeBufferPointer { codes in
        unsafe kinds.withUnsafeBufferPointer { kinds in
          for row in codes.indices {
            let mask = ColumnKernels.mask(unsafe kinds[row], kind.rawValue)
            let code = unsafe min(Int(codes[row] & mask), codeLimit)
            unsafe rows[code &* Self.laneCount &+ (row & (Self.laneCount - 1))] &+= 1
          }
        }
      }
    }
  }

  /// Adds the number of each row that has one to the sum of the row's code.
  ///
  /// - Parameters:
  ///   - column: The numbers of the batch.
  ///   - codes: The code of each row of the batch; numbers of codes at or beyond the limit are not added.
  public mutating func add(_ column: NumberColumn, by codes: [UInt32]) {
    let codeLimit = codeLimit
    let dense = column.dense
    guard codes.count == column.present.count, dense.count == column.present.setCount else {
      return
    }
    // Safety: a column has as many dense numbers as rows with a number, all of which are rows of the codes,
    // and there are lanes for every code up to the limit.
    unsafe totals.withUnsafeMutableBufferPointer { totals in
      unsafe numbers.withUnsafeMutableBufferPointer { numbers in
        unsafe codes.withUnsafeBufferPointer { codes in
          unsafe dense.withUnsafeBufferPointer { dense in
            var next = 0
            column.present.forEachSet { row in
              let code = unsafe min(Int(codes[row]), codeLimit)
              let place = code &* Self.laneCount &+ (next & (Self.laneCount - 1))
              unsafe totals[place] += unsafe dense[next]
              unsafe numbers[place] &+= 1
              next &+= 1
            }
          }
        }
      }
    }
  }
}
