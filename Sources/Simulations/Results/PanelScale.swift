internal import RealModule

/// Where steps and regrets stand in a panel, and which of them are written at its edges.
struct PanelScale {
  private let isLogarithmic: Bool
  private let steps: ClosedRange<Double>
  private let regrets: ClosedRange<Double>
  private let interval: Double

  init(steps: [Int], _ curves: [RegretCurvePoints], isLogarithmic: Bool) {
    self.isLogarithmic = isLogarithmic
    let first = Double(steps.first ?? 1)
    self.steps = (isLogarithmic ? first : 0)...max(Double(steps.last ?? 1), first + 1)
    let values = curves.flatMap { $0.points.flatMap { [$0.low, $0.high, $0.mean] } }
    let low = min(0, values.min() ?? 0)
    let high = max(low + 1e-9, values.max() ?? 1)
    interval = Self.niceInterval((high - low) / 5)
    regrets = (low / interval).rounded(.down) * interval...(high / interval).rounded(.up) * interval
  }

  /// From the left edge.
  func x(_ step: Double, _ width: Double) -> Double {
    let (low, high) = (steps.lowerBound, steps.upperBound)
    if isLogarithmic { return Double.log(step / low) / Double.log(high / low) * width }
    return (step - low) / (high - low) * width
  }

  /// From the upper edge.
  func y(_ regret: Double, _ height: Double) -> Double {
    (1 - (regret - regrets.lowerBound) / (regrets.upperBound - regrets.lowerBound)) * height
  }

  /// The regrets that are written.
  var regretTicks: [Double] {
    let count = Int(((regrets.upperBound - regrets.lowerBound) / interval).rounded())
    return (0...max(1, min(count, 20))).map { regrets.lowerBound + Double($0) * interval }
  }

  /// The steps that are written: powers of ten, or round numbers.
  var stepTicks: [Double] {
    let (low, high) = (steps.lowerBound, steps.upperBound)
    if isLogarithmic {
      return (0...18).map { Double.exp10(Double($0)).rounded() }.filter { $0 >= low && $0 <= high }
    }
    let interval = Self.niceInterval((high - low) / 5)
    return (0...20).map { Double($0) * interval }.filter { $0 <= high }
  }

  /// A number in few characters.
  func text(_ value: Double) -> String {
    if abs(value) < 1e-12 { return "0" }
    // Multiples of an interval come with errors in the last digits.
    let rounded = (value / interval).rounded() * interval
    let shown = abs(rounded - value) < 1e-9 * abs(value) ? rounded : value
    if let whole = Int(exactly: shown.rounded()), abs(shown - shown.rounded()) < 1e-9 {
      return whole >= 10_000 && whole % 1_000 == 0 ? "\(whole / 1_000)k" : "\(whole)"
    }
    let scaled = (shown * 1e6).rounded() / 1e6
    return "\(scaled)"
  }

  /// 1, 2 or 5 times a power of ten, no less than a length.
  private static func niceInterval(_ length: Double) -> Double {
    let power = Double.exp10(Double.log10(max(length, 1e-12)).rounded(.down))
    for factor in [1.0, 2, 5] where factor * power >= length * (1 - 1e-9) { return factor * power }
    return 10 * power
  }
}
