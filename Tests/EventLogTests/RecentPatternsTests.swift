import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Lists and shapes of recent rows")
struct RecentPatternsTests {
  private func slice(
    _ random: inout SeededGenerator, _ record: inout EventRecord
  ) -> EventRecord.Slice {
    record.add(RecentNamesTests.name(&random))
  }

  private func attributes(
    _ random: inout SeededGenerator, _ record: inout EventRecord, _ count: Int
  ) -> [EventRecord.Attribute] {
    (0..<count).map { _ in
      let name = slice(&random, &record)
      let values: [EventRecord.Value] = [
        .number(Double(random.index(9))), .integer(.max), .flag(true),
        .text(slice(&random, &record)),
      ]
      return EventRecord.Attribute(name: name, value: values[random.index(4)])
    }
  }

  /// A record with lists and objects whose names differ in little; some have more of them than a pattern keeps.
  private func record(_ random: inout SeededGenerator) -> EventRecord {
    var record = EventRecord()
    record.hasChoices = random.chance(0.8)
    record.hasChanged = random.chance(0.3)
    record.hasContext = random.chance(0.6)
    record.hasMetadata = random.chance(0.4)
    record.hasFeatures = random.chance(0.6)
    let most = random.chance(0.05) ? 90 : 4
    for _ in 0..<random.index(most) { record.choices.append(slice(&random, &record)) }
    for _ in 0..<random.index(3) { record.changed.append(slice(&random, &record)) }
    record.context = attributes(&random, &record, random.index(most))
    record.metadata = attributes(&random, &record, random.index(3))
    for _ in 0..<random.index(3) {
      let group = EventRecord.FeatureGroup(
        variant: slice(&random, &record), count: random.index(3))
      record.featureGroups.append(group)
      record.features += attributes(&random, &record, group.count)
    }
    record.features += attributes(&random, &record, random.index(2))
    return record
  }

  @Test("the columns and names are the same as without looking at recent rows", arguments: 0..<60)
  func sameColumns(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pool = (0..<20).map { _ in record(&random) }
    var names = NameRegister(units: UnitRegister(path: "/tmp"))
    var (batch, twinNames, twin) = (BatchBuilder(), names, BatchBuilder())
    for _ in 0..<200 {
      let next = random.chance(0.7) ? pool[random.index(20)] : record(&random)
      try batch.append(next, names: &names)
      twinNames.recentNames = RecentNames()
      twinNames.recentPatterns = RecentPatterns()
      try twin.append(next, names: &twinNames)
    }
    batch.finish()
    twin.finish()
    #expect(batch.columns.integers == twin.columns.integers, "seed \(seed)")
    #expect(batch.columns.attributes == twin.columns.attributes, "seed \(seed)")
    #expect(batch.columns.literals == twin.columns.literals, "seed \(seed)")
    #expect(names.unpublished == twinNames.unpublished, "seed \(seed)")
  }

  @Test(
    "a pattern is found if and only if all its names and numbers are the same",
    arguments: 0..<50)
  func finding(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var recent = RecentPatterns()
    var pattern = NamePattern()
    var codes: [[[UInt8]]: UInt32] = [:]
    var found = 0
    for _ in 0..<500 {
      let names = (0..<random.index(3)).map { _ in RecentNamesTests.name(&random) }
      let number = random.index(2)
      pattern.begin(.choices)
      for name in names { pattern.append(name.span, number) }
      let key = names + (names.isEmpty ? [] : [[UInt8(number)]])
      if let place = recent.place(of: pattern) {
        found += 1
        #expect(recent.code(at: place) == codes[key], "seed \(seed), \(names)")
      }
      let code = codes[key] ?? UInt32(codes.count)
      codes[key] = code
      recent.keep(pattern, code: code, names: [])
      #expect(recent.place(of: pattern).map { recent.code(at: $0) } == code)
    }
    #expect(found > 0)
  }
}
