import TestSupport
import Testing

@testable import EventLog

@Suite("Reading into memory that is used again")
struct ReusedArrayTests {
  @Test(
    "reading integers replaces the contents of an array", arguments: 0..<300 as Range<UInt64>)
  func integers(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var wide: [Int64] = []
    var narrow: [UInt32] = []
    for _ in 0..<5 {
      let kind = random.index(4)
      var last: Int64 = 0
      let values = (0..<random.index(3_000)).map { _ -> Int64 in
        last += Int64(random.index(9))
        switch kind {
        case 0: return 7
        case 1: return Int64(random.index(1 << 20))
        case 2: return last
        default: return random.chance(0.95) ? 3 : Int64(random.index(90))
        }
      }
      // Bytes within others, so that nothing stands at a multiple of anything.
      let margin = random.index(9)
      var bytes = [UInt8](repeating: 0xAA, count: margin)
      IntegerStream.write(values, to: &bytes)
      try IntegerStream.read(bytes[margin...], count: values.count, into: &wide)
      try IntegerStream.read(bytes[margin...], count: values.count, into: &narrow)
      #expect(wide == values, "seed \(seed)")
      #expect(narrow == values.map { UInt32($0) }, "seed \(seed)")
    }
  }

  @Test("a copy that somebody kept stays what it was")
  func copies() throws {
    var bytes: [UInt8] = []
    IntegerStream.write((0..<2_000).map { Int64($0 * 37 % 101) }, to: &bytes)
    var values = [UInt32](repeating: 5, count: 2_000)
    let kept = values
    try IntegerStream.read(bytes[...], count: 2_000, into: &values)
    #expect(kept == [UInt32](repeating: 5, count: 2_000))
    #expect(values == (0..<2_000).map { UInt32($0 * 37 % 101) })
  }

  @Test("a batch that somebody kept stays what it was")
  func batches() throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: 5)
    let writer = try LogWriter(folder.path("log"))
    for _ in 0..<3 {
      try writer.append(generator.events(200))
      try writer.commit()
    }
    var kept: [EventBatch] = []
    let log = try LogReader(folder.path("log"))
    try log.forEachBatch([.time, .unit, .value]) { kept.append($0) }
    var next = 0
    try log.forEachBatch([.time, .unit, .value]) { batch in
      #expect(kept[next].times == batch.times)
      #expect(kept[next].kinds == batch.kinds)
      #expect(kept[next].units == batch.units)
      #expect(kept[next].values.numbers() == batch.values.numbers())
      next += 1
    }
    #expect(next == kept.count && next >= 3)
  }
}
