/// Short amounts for progress lines: `950`, `1.2k`, `34M`, `1.5 MiB`.
enum HumanNumber {
  /// Returns the amount in the largest unit that leaves a number of at least 1, with one decimal below ten.
  /// Truncated, not rounded: the amount shown has been reached.
  static func text(_ amount: Int, _ unit: Progress.Unit) -> String {
    let sign = amount < 0 ? "-" : ""
    switch unit {
    case .count:
      return sign + scaled(amount.magnitude, step: 1_000, names: ["", "k", "M", "G", "T"])
    case .bytes:
      let names = [" B", " KiB", " MiB", " GiB", " TiB"]
      return sign + scaled(amount.magnitude, step: 1_024, names: names)
    }
  }

  private static func scaled(_ amount: UInt, step: UInt, names: [String]) -> String {
    var size: UInt = 1
    var index = 0
    while index + 1 < names.count, amount / size >= step {
      size *= step
      index += 1
    }
    let whole = amount / size
    guard index > 0, whole < 10 else { return "\(whole)\(names[index])" }
    return "\(whole).\(amount % size / (size / 10 + (size % 10 == 0 ? 0 : 1)))\(names[index])"
  }
}
