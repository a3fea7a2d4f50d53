import Testing

@testable import Statistics

@Suite("Bins of equal mass")
struct EqualMassTests {
  @Test("match sorted predictions cut into parts, if bins are narrow enough")
  func sorted() throws {
    var generator = SplitMix64(seed: 3)
    for count in 1..<60 {
      var cells = Array(0..<1024)
      cells.shuffle(using: &generator)
      // At most one in each narrow bin, so that nothing has to be shared out.
      let predictions = cells.prefix(count).map {
        (probability: (Double($0) + 0.25) / 1024, outcome: $0 % 3 == 0)
      }
      var narrow = Calibration(bins: 1024)
      for prediction in predictions {
        narrow.add(prediction.probability, outcome: prediction.outcome)
      }
      for bins in [1, 3, 10] {
        let error = try #require(narrow.equalMass(bins: bins).expectedError)
        let expected = try #require(equalMassError(predictions, bins: bins))
        #expect(abs(error - expected) < 1e-12, "\(count) in \(bins)")
      }
    }
  }

  /// The expected calibration error over bins of as equal a number of predictions as possible.
  private func equalMassError(
    _ predictions: [(probability: Double, outcome: Bool)], bins count: Int
  ) -> Double? {
    let sorted = predictions.sorted { $0.probability < $1.probability }
    let misses = (0..<count).map { bin in
      let part = sorted[bin * sorted.count / count..<(bin + 1) * sorted.count / count]
      return abs(part.reduce(0) { $0 + $1.probability } - Double(part.filter(\.outcome).count))
    }
    return sorted.isEmpty ? nil : misses.reduce(0, +) / Double(sorted.count)
  }

  @Test("divide a bin that straddles an edge, without loss")
  func shares() {
    var narrow = Calibration(bins: 4)
    for number in 0..<10 { narrow.add(0.5, outcome: number < 5) }
    let parts = narrow.equalMass(bins: 5)
    #expect(parts.bins.map(\.count) == [2, 2, 2, 2, 2])
    #expect(parts.bins.map(\.positives) == [1, 1, 1, 1, 1])
    #expect(parts.bins.allSatisfy { abs(($0.confidence ?? 0) - 0.5) < 1e-15 })
    #expect(narrow.equalMass(bins: 0).bins.map(\.count) == [10])
    #expect(narrow.equalMass(bins: 20).bins.reduce(0) { $0 + $1.count } == 10)
    #expect(Calibration(bins: 4).equalMass(bins: 3).expectedError == nil)
    narrow.add(.nan, outcome: false)
    narrow.add(.infinity, outcome: false)
    narrow.add(-3, outcome: true)
    #expect(narrow.bins.map(\.count) == [2, 0, 10, 1])
  }
}
