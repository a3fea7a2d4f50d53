import Events

extension FieldTree {
  /// Sets the revenue of a conversion whose goal is set. A refund, told by its name or by an amount below 0, becomes a
  /// negative conversion with an amount above 0, which is subtracted.
  ///
  /// - Parameters:
  ///   - event: The conversion.
  ///   - field: The field with the amount; without one, only the name tells.
  ///   - name: What messages call the field.
  ///   - units: How many units of the field are one of revenue: 100 for cents.
  /// - Throws: ``Rejection`` `number` if the field is not a number.
  func setRevenue(
    of event: inout EventRecord, to field: Field?, named name: @autoclosure () -> String = "revenue",
    units: Double = 1
  ) throws(Rejection) {
    event.setRevenue(try number(field, named: name()).map { $0 / units })
  }
}

extension EventRecord {
  /// Sets the revenue of a conversion whose goal is set, as ``FieldTree`` does.
  mutating func setRevenue(_ amount: Double?) {
    let isRefund = Refund.isNamed(by: bytes[self[.goal].range])
    guard isRefund || (amount ?? 0) < 0 else { return revenue = amount }
    revenue = amount?.magnitude
    negative = true
  }
}

/// The names by which systems call the return of a payment.
enum Refund {
  private static let reversals: Set<String> = ["refund", "refunds", "refunded"]
  /// The words that may stand before `Refund`; other words, as in `Request Refund`, are something that a user does.
  private static let reversed: Set<String> = [
    "app", "charge", "full", "item", "order", "partial", "partially", "payment", "product",
    "purchase",
    "store", "subscription", "transaction",
  ]
  /// The words that may stand after `Refund`.
  private static let ended: Set<String> = [
    "completed", "created", "issued", "paid", "processed", "received", "succeeded",
  ]
  private static let negations: Set<String> = ["not", "non", "un", "never", "no"]

  /// Returns whether a name says that a payment was returned: `refund`, `Order Refunded`, `order_refund`,
  /// `charge.refunded`, `orderRefunded`.
  static func isNamed(by name: ArraySlice<UInt8>) -> Bool {
    guard name.count <= 64, name.contains(where: { $0 | 0x20 == UInt8(ascii: "f") }) else {
      return false
    }
    let words = words(of: name)
    guard let last = words.last, !words.contains(where: negations.contains) else { return false }
    if words.first == "refund", words.count == 2, ended.contains(last) { return true }
    guard reversals.contains(last) else { return false }
    return last == "refunded" || words.dropLast().allSatisfy { reversed.contains($0) }
  }

  /// Returns the words of a name, in small letters.
  private static func words(of name: ArraySlice<UInt8>) -> [String] {
    var words: [[UInt8]] = [[]]
    var wasSmall = false
    for byte in name {
      let isCapital = byte &- UInt8(ascii: "A") < 26
      let isSmall = byte &- UInt8(ascii: "a") < 26
      if !isCapital && !isSmall || isCapital && wasSmall { words.append([]) }
      if isCapital || isSmall { words[words.count - 1].append(byte | 0x20) }
      wasSmall = isSmall
    }
    return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}
