import Events

/// The generator of a shop with A/B tests: two generators whose events are merged by time.
///
/// Neither knows of the other, so the shop has the events that it has without tests. The events of the tests are in
/// order of time, so that an event is out of order here if and only if it is so in the shop.
struct StorefrontWithTests: EventGenerator {
  private var shop: StorefrontGenerator
  private var tests: StorefrontTestGenerator
  /// The next event of each; the flags say whether there is one.
  private var shopRecord = EventRecord()
  private var testRecord = EventRecord()
  private var hasShop: Bool
  private var hasTest: Bool

  init(_ shop: StorefrontGenerator, _ tests: StorefrontTestGenerator) {
    (self.shop, self.tests) = (shop, tests)
    hasShop = self.shop.next(into: &shopRecord)
    hasTest = self.tests.next(into: &testRecord)
  }

  mutating func next(into record: inout EventRecord) -> Bool {
    guard hasShop || hasTest else { return false }
    if hasShop, !hasTest || shopRecord.time <= testRecord.time {
      swap(&record, &shopRecord)
      hasShop = shop.next(into: &shopRecord)
    } else {
      swap(&record, &testRecord)
      hasTest = tests.next(into: &testRecord)
    }
    return true
  }

  var truth: Truth {
    var truth = shop.truth
    truth.events += tests.events
    truth.counts.add(tests.tallies.counts, units: tests.arrived)
    truth.experiments += tests.truths
    return truth
  }
}

extension Truth.Counts {
  fileprivate mutating func add(_ other: Truth.Counts, units: Int) {
    self.units += units
    confirmed += other.confirmed
    repeated += other.repeated
    accepted += other.accepted
    dataPoints += other.dataPoints
  }
}
