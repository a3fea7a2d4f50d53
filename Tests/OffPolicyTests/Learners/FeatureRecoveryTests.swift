import Testing

@testable import Bandits
@testable import OffPolicy

@Suite("Values of attributes that follow from features")
struct FeatureRecoveryTests {
  @Test("values of attributes follow from features, unless values share a column")
  func recovered() throws {
    let log = ContextualLog(300, seed: 8)
    let map = try log.map("one-hot(country)+standardized(age)+one-hot(old)+cross(country,variant)")
    let recovery = FeatureRecovery(map)
    #expect(recovery.sources.map(\.description) == ["country", "age", "old"])
    for row in log.rows {
      let vector = ContextualLog.features(row, map)[1]
      #expect(recovery.value(0, in: vector) == .text(ContextualLog.countries[row.country]))
      guard case .number(let age)? = recovery.value(1, in: vector) else {
        Issue.record("no age")
        continue
      }
      #expect(abs(age - row.age) < 1e-9)
      #expect(recovery.value(2, in: vector) == .flag(row.age >= 40))
    }
    let few = FeatureRecovery(try log.map("one-hot(country,2)+cross(country,variant)+hash(age,9)"))
    #expect(few.sources.isEmpty)
    #expect(FeatureValue(reading: "7") == .number(7) && FeatureValue(reading: "07") == .text("07"))
  }
}
