/// Values by 64-bit codes, with an order of first appearance that nothing shows: two maps with the same values are
/// equal.
///
/// A few codes are found one after the other, more by an ``EdgeIndex``.
struct CodeMap<Value: Equatable & Sendable>: Sendable {
  /// The number of codes up to which they are looked at one after the other.
  private static var most: Int { 8 }

  /// The codes in the order of their numbers.
  private var codes: [UInt64] = []
  /// The values in the order of their numbers.
  private(set) var values: [Value] = []
  /// The numbers of codes, once they are many.
  private var index = EdgeIndex()

  /// Returns the number of a code; nil if there is none.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func number(of code: UInt64) -> Int? {
    let codes = codes.span
    guard codes.count > Self.most else {
      // Which one it is cannot be foreseen by a processor, so no branch depends on it.
      var found = -1
      for number in codes.indices { found = codes[number] == code ? number : found }
      return found >= 0 ? found : nil
    }
    let (high, low) = Self.halves(of: code)
    return index.number(high, low) { codes[Int($0)] == code }.map { Int($0) }
  }

  /// Modifies the value of a code in place, after adding one if there was none.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  mutating func change(
    _ code: UInt64, orAdd value: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) {
    body(&values[number(of: code) ?? add(code, value())])
  }

  private mutating func add(_ code: UInt64, _ value: Value) -> Int {
    codes.append(code)
    values.append(value)
    if codes.count == Self.most + 1 {
      for number in codes.indices { enter(number) }
    } else if codes.count > Self.most {
      enter(codes.count - 1)
    }
    return codes.count - 1
  }

  private mutating func enter(_ number: Int) {
    let (high, low) = Self.halves(of: codes[number])
    index.enter(Int32(truncatingIfNeeded: number), high, low) {
      Self.halves(of: codes[Int($0)])
    }
  }

  private static func halves(of code: UInt64) -> (Int32, Int32) {
    (Int32(truncatingIfNeeded: code >> 32), Int32(truncatingIfNeeded: code))
  }

  /// The codes and values, ascending by code.
  var sorted: [(code: UInt64, value: Value)] {
    zip(codes, values).sorted { $0.0 < $1.0 }.map { (code: $0.0, value: $0.1) }
  }
}

extension CodeMap: Equatable {
  static func == (a: CodeMap, b: CodeMap) -> Bool {
    a.codes.count == b.codes.count
      && zip(a.codes, a.values).allSatisfy { code, value in
        b.number(of: code).map { b.values[$0] == value } ?? false
      }
  }
}
