/// The minimum and maximum of some integers; both 0 if there are none.
struct IntegerRange {
  var low: Int64 = 0
  var high: Int64 = 0

  var width: Int { BitPacking.width(of: UInt64(bitPattern: high &- low)) }

  init(_ values: Span<Int64>) {
    guard values.count > 0 else { return }
    (low, high) = (values[0], values[0])
    for index in values.indices {
      low = min(low, values[index])
      high = max(high, values[index])
    }
  }

  /// The range of the differences between consecutive values.
  init(differencesOf values: Span<Int64>) {
    guard values.count > 1 else { return }
    low = values[1] &- values[0]
    high = low
    var before = values[0]
    for index in 1..<values.count {
      let difference = values[index] &- before
      low = min(low, difference)
      high = max(high, difference)
      before = values[index]
    }
  }
}
