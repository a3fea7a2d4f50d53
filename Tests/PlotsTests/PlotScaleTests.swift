import Foundation
import Testing

@testable import Plots

@Suite("Axes and numbers of plots")
struct PlotScaleTests {
  private func labels(_ scale: PlotScale) -> [String] { scale.ticks.map(\.label) }

  /// Ranges of every size, around 0 and far from it.
  private static let ranges: [ClosedRange<Double>] = {
    var ranges: [ClosedRange<Double>] = []
    for size in [1e-300, 1e-9, 0.003, 0.07, 0.9, 1, 4, 12, 99, 1_234, 86_400, 5e7, 3.3e12, 1e290] {
      for start in [0, -0.3, 0.7, -1, 1, 3, 117, 99_999] {
        ranges.append(start * size...(start + 1.37) * size)
      }
    }
    return ranges
  }()

  @Test("linear axes have 3 to 12 ticks at round numbers, with labels that differ")
  func linearTicks() {
    for range in Self.ranges {
      for most in [4, 6, 9] {
        for isTight in [false, true] {
          let scale = PlotScale.linear(
            [range.lowerBound, range.upperBound], isTight: isTight, ticks: most)
          check(scale, "\(range) \(most) \(isTight)")
          let covers = scale.low <= range.lowerBound && scale.high >= range.upperBound
          let spare = (range.upperBound - range.lowerBound) * 1e-8
          #expect(covers || range.lowerBound >= scale.low - spare, "\(range)")
          #expect(covers || range.upperBound <= scale.high + spare, "\(range)")
          #expect(isRound(scale.ticks.map(\.value)), "\(range): \(labels(scale))")
        }
      }
    }
  }

  @Test("logarithmic axes have 3 to 12 ticks, with labels that differ")
  func logarithmicTicks() {
    for low in [1e-290, 1e-6, 0.03, 0.9, 1, 7, 123, 1e5, 1e200] {
      for factor in [1, 1.2, 2.5, 7, 60, 1e3, 1e6, 1e40, 1e90] {
        for most in [4, 6, 9] {
          let scale = PlotScale.logarithmic([low, low * factor], ticks: most)
          check(scale, "\(low) \(factor) \(most)")
        }
      }
    }
  }

  @Test("time axes have 3 to 12 ticks, from seconds to centuries, with labels that differ")
  func timeTicks() {
    var length = 0.5
    while length < 3e11 {
      for start in [0.0, 1_767_225_600, 1_709_164_800.25, -62_135_596_800] {
        for most in [4, 6, 9] {
          check(.time([start, start + length], ticks: most), "\(start) \(length) \(most)")
        }
      }
      length *= 1.37
    }
  }

  private func check(_ scale: PlotScale, _ comment: String) {
    let ticks = scale.ticks
    #expect((3...13).contains(ticks.count), "\(comment): \(labels(scale))")
    var context = ""
    let texts = ticks.map { tick in
      context = tick.detail ?? context
      return "\(context) \(tick.label)"
    }
    #expect(Set(texts).count == ticks.count, "\(comment): \(texts)")
    for (first, second) in zip(ticks, ticks.dropFirst()) {
      #expect(first.value < second.value, "\(comment)")
    }
    for tick in ticks {
      let place = scale.position(tick.value)
      #expect(place.isFinite && place >= 0 && place <= 1, "\(comment)")
    }
    #expect(scale.position(scale.low) == 0 && scale.position(scale.high) == 1, "\(comment)")
  }

  /// Whether neighbors differ by 1, 2 or 5 times a power of ten.
  private func isRound(_ values: [Double]) -> Bool {
    let text = String(format: "%.5e", values[1] - values[0])
    return ["1.00000e", "2.00000e", "5.00000e"].contains { text.hasPrefix($0) }
  }

  @Test("labels are short, and say what they should")
  func samples() {
    #expect(labels(.linear([0, 1], ticks: 6)) == ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    #expect(labels(.linear([3, 17], includesZero: true)) == ["0", "5", "10", "15", "20"])
    #expect(labels(.linear([-1, 1.2])) == ["-1", "-0.5", "0", "0.5", "1", "1.5"])
    #expect(labels(.linear([0, 23_000], ticks: 4)) == ["0", "10k", "20k", "30k"])
    #expect(labels(.linear([0, 2.5e6], ticks: 6)) == ["0", "0.5M", "1M", "1.5M", "2M", "2.5M"])
    #expect(labels(.linear([0, 0.3], ticks: 4, unit: .percent)) == ["0%", "10%", "20%", "30%"])
    #expect(labels(.linear([0, 3e-9], ticks: 4)) == ["0", "1e-9", "2e-9", "3e-9"])
    #expect(labels(.logarithmic([1, 2_000], ticks: 4)) == ["1", "10", "100", "1000"])
    #expect(labels(.logarithmic([0.04, 3])) == ["0.05", "0.1", "0.2", "0.5", "1", "2"])
    #expect(PlotScale.logarithmic([1, 100]).position(10) == 0.5)
  }

  @Test("times are labelled in UTC, and days and years stand where they change")
  func times() {
    let texts = { (first: Double, length: Double) in
      PlotScale.time([first, first + length], ticks: 6).ticks.map { tick in
        tick.detail.map { "\(tick.label) \($0)" } ?? tick.label
      }
    }
    // 2026-01-01T00:00:00Z.
    let start = 1_767_225_600.0
    #expect(texts(start, 60) == ["00:00 Jan 1, 2026", "00:00:15", "00:00:30", "00:00:45", "00:01"])
    #expect(
      texts(start + 72_000, 28_800)
        == ["20:00 Jan 1, 2026", "22:00", "00:00 Jan 2, 2026", "02:00", "04:00"])
    #expect(texts(start, 29 * 86_400) == ["Jan 5 2026", "Jan 12", "Jan 19", "Jan 26"])
    #expect(
      texts(start - 31 * 86_400, 125 * 86_400) == ["Dec 2025", "Jan 2026", "Feb", "Mar", "Apr"])
    #expect(texts(start, 5 * 366 * 86_400) == ["2026", "2027", "2028", "2029", "2030", "2031"])
  }

  @Test("values that cannot be placed do not break an axis")
  func degenerate() {
    for values in [[], [0.0], [0, 0], [7, 7], [1e300], [-1e-300], [.nan], [.infinity, 1], [-5]]
      as [[Double]]
    {
      let scales: [PlotScale] = [
        .linear(values), .linear(values, includesZero: true, isTight: true), .logarithmic(values),
        .time(values),
      ]
      for scale in scales {
        #expect(scale.low < scale.high && scale.ticks.count >= 3, "\(values)")
        #expect(scale.ticks.allSatisfy { scale.position($0.value).isFinite }, "\(values)")
      }
    }
  }

  @Test("numbers have at most two decimals, and none that XML does not know")
  func numbers() {
    #expect(
      [0, 1.5, -0.256, 12.04, 1e300, .nan].map(Markup.number) == [
        "0", "1.5", "-0.26", "12.04", "0", "0",
      ])
    #expect(PlotNumber.text(0.0503038, digits: 4) == "0.0503")
    #expect(PlotNumber.text(0.215479, unit: .percent, digits: 3) == "21.5%")
    #expect(PlotNumber.text(1_234_567.8) == "1234568")
    #expect(PlotNumber.text(1e-7) == "1e-07")
  }
}
