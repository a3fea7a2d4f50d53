/// A text in the exposition format of Prometheus, version 0.0.4.
struct MetricsText: Sendable {
  /// The text so far.
  private(set) var bytes: [UInt8] = []

  /// The type of a metric.
  enum Kind: String {
    case counter, gauge, histogram
  }

  /// Begins a metric.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    bytes += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n".utf8
  }

  /// Adds a value of the metric that was begun last.
  mutating func add(_ name: String, _ labels: [(String, String)] = [], _ value: String) {
    bytes += name.utf8
    if !labels.isEmpty {
      let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
      bytes += "{\(list.joined(separator: ","))}".utf8
    }
    bytes += " \(value)\n".utf8
  }

  /// Adds a metric that has one value.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some Numeric) {
    begin(name, kind, help)
    add(name, [], "\(value)")
  }

  /// Adds the values of a histogram, after the metric was begun.
  mutating func add(
    _ name: String, _ labels: [(String, String)] = [], _ counts: DurationHistogram.Counts
  ) {
    var total: UInt64 = 0
    for (bound, count) in zip(DurationHistogram.bounds + ["+Inf"], counts.buckets) {
      total += count
      add("\(name)_bucket", labels + [("le", bound)], "\(total)")
    }
    add("\(name)_sum", labels, "\(Double(counts.sum) / 1e9)")
    add("\(name)_count", labels, "\(total)")
  }

  private static func escaped(_ text: String) -> String {
    var output = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": output += "\\\\"
      case "\"": output += "\\\""
      case "\n": output += "\\n"
      default: output.unicodeScalars.append(character)
      }
    }
    return output
  }
}
