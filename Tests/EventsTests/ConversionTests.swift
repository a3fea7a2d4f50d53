import Events
import Testing

@Suite("Conversions")
struct ConversionTests {
  @Test(
    "a conversion is negative if it is marked or its revenue is below zero",
    arguments: [
      (nil, nil, false, nil), (3, nil, false, 3), (0, nil, false, 0), (-0.0, nil, false, 0),
      (nil, true, true, nil), (3, true, true, -3), (-3, true, true, -3), (-3, nil, true, -3),
      (-3, false, true, -3), (3, false, false, 3),
    ] as [(Double?, Bool?, Bool, Double?)])
  func reversal(revenue: Double?, negative: Bool?, isReversal: Bool, counts: Double?) throws {
    let conversion = Conversion(goal: "g", revenue: revenue, negative: negative)
    #expect(conversion.isReversal == isReversal)
    #expect(conversion.signedRevenue == counts)
    var record = EventRecord()
    try record.load(
      Event(time: Timestamp(microseconds: 0), unit: "u", payload: .conversion(conversion)))
    #expect(record.isReversal == isReversal)
  }
}
