import EventLog
import TestSupport
import Testing

@testable import Reports

@Suite("Names that differ in their bytes only")
struct SpellingTests {
  @Test(
    "are told apart in every report, as plain names in the same order are",
    arguments: LongTests.chunks(6, of: 100))
  func twins(seed: UInt64) throws {
    let logs = try [Spelling.accented, .plain].map { names in
      var random = SeededGenerator(seed: 700 + seed)
      return try ReportLog(SpelledWorld(names: names).events(&random))
    }
    let accented = try EveryReport(names: .accented, hashesNames: false).all()
    let plain = try EveryReport(names: .plain, hashesNames: false).all()
    for (accented, plain) in zip(accented, plain) {
      let found = try accented.texts(of: logs[0].reader)
      let expected = try plain.texts(of: logs[1].reader)
        .map { Spelling.accented.spelled($0, in: .plain) }
      #expect(Difference(found, expected) == nil, "seed \(700 + seed), \(accented)")
    }
  }
  @Test("the reports compared are all of the catalog")
  func complete() throws {
    let compared = try EveryReport(names: .plain).all().map { type(of: $0.report).name }
    #expect(Set(compared) == Set(ReportCatalog.standard.all.map { $0.name }))
  }
}
