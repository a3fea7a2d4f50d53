internal import Specifications

/// A learning curve by time with at most 512 cells: periods double in length until they fit.
///
/// Periods are counted from 1970-01-01T00:00:00Z, and a longer one consists of two shorter ones; so their final
/// length and contents depend on the times alone and not on their order.
///
/// - Complexity: memory at most 512 × 48 bytes.
struct PeriodTally: Sendable, Equatable {
  static let limit = 512

  /// The length of a period in microseconds, before doubling.
  let period: Int64
  private let inverse: Double
  /// The number of times the length was doubled.
  var doublings: Int64 = 0
  /// The period of the first cell.
  var first: Int64 = 0
  var cells: [CurveCell] = []

  init(period: Int64) {
    self.period = max(1, period)
    inverse = 1 / Double(self.period)
  }

  @inline(__always)
  mutating func add(_ time: Int64, isHit: Bool, loss: Int128, brier: Int128) {
    let place = place(of: number(of: time) &>> doublings)
    cells[place].add(isHit: isHit, loss: loss, brier: brier)
  }

  /// Returns the period of a time before doubling: the quotient rounded down. It is computed by a product and
  /// corrected by at most one, which is faster than a division.
  @inline(__always)
  private func number(of time: Int64) -> Int64 {
    if time.magnitude < 1 << 52 {
      let guess = Int64(Double(time) * inverse)
      let rest = time &- guess &* period
      if rest >= 0, rest < period { return guess }
      if rest < 0, rest &+ period >= 0 { return guess &- 1 }
    }
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: period)
    return remainder < 0 ? quotient - 1 : quotient
  }

  @inline(__always)
  private mutating func place(of number: Int64) -> Int {
    let (place, isOver) = number.subtractingReportingOverflow(first)
    if !isOver, place >= 0, place < Int64(cells.count) { return Int(place) }
    return makeRoom(number)
  }

  /// Adds cells up to the given period, at the present length.
  @inline(never)
  private mutating func makeRoom(_ number: Int64) -> Int {
    guard !cells.isEmpty else {
      first = number
      cells = [CurveCell()]
      return 0
    }
    var number = number
    var last = first + Int64(cells.count - 1)
    var doubled: Int64 = 0
    var (low, high) = (min(first, number), max(last, number))
    while true {
      let (span, isOver) = high.subtractingReportingOverflow(low)
      if !isOver, span < Int64(Self.limit) { break }
      (low, high, number, last) = (low >> 1, high >> 1, number >> 1, last >> 1)
      doubled += 1
    }
    double(doubled)
    if number < first {
      let fresh = [CurveCell](repeating: CurveCell(), count: Int(first - number))
      cells.insert(contentsOf: fresh, at: 0)
      first = number
    }
    while first + Int64(cells.count - 1) < number { cells.append(CurveCell()) }
    return Int(number - first)
  }

  private mutating func double(_ times: Int64) {
    guard times > 0 else { return }
    let start = first >> times
    var wide = [CurveCell](
      repeating: CurveCell(),
      count: Int(((first + Int64(cells.count - 1)) >> times) - start) + 1)
    for (place, cell) in cells.enumerated() {
      wide[Int(((first + Int64(place)) >> times) - start)].merge(cell)
    }
    (cells, first, doublings) = (wide, start, doublings + times)
  }

  mutating func merge(_ other: PeriodTally) {
    guard !other.cells.isEmpty else { return }
    var other = other
    if other.doublings > doublings, !cells.isEmpty { double(other.doublings - doublings) }
    if cells.isEmpty { doublings = other.doublings }
    if doublings > other.doublings { other.double(doublings - other.doublings) }
    for (index, cell) in other.cells.enumerated() where cell.events > 0 {
      // Adding cells may have doubled the periods.
      let number = (other.first + Int64(index)) >> (doublings - other.doublings)
      cells[place(of: number)].merge(cell)
    }
  }

  /// The curve, with the times at which its periods begin and end.
  var curve: LearningCurve {
    LearningCurve(
      cells.enumerated().map { place, cell in
        let number = Int128(first) + Int128(place)
        return LearningPoint(low: start(number), high: start(number + 1), cell: cell)
      })
  }

  private func start(_ number: Int128) -> Int64 {
    Int64(clamping: (number << Int128(doublings)) * Int128(period))
  }
}

extension PeriodTally: StateField {
  func write(to writer: inout StateWriter) {
    writer.write(UInt64(cells.count))
    guard !cells.isEmpty else { return }
    writer.write(UInt64(doublings))
    writer.write(signed: first)
    for cell in cells { cell.write(to: &writer) }
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    let count = try reader.readCount(below: Self.limit + 1)
    guard count > 0 else { return }
    doublings = Int64(try reader.readCount(below: 64))
    first = try reader.readSigned()
    // No time gives periods beyond these.
    let isReached = first >= Int64.min >> doublings && first <= Int64.max >> doublings
    guard isReached, !first.addingReportingOverflow(Int64(count)).overflow else {
      throw StateError("the periods of a curve are damaged")
    }
    cells = Array(repeating: CurveCell(), count: count)
    try cells.read(from: &reader)
  }
}
