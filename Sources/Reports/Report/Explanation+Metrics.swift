internal import Replay

extension Explanation {
  /// The words of `--metric`, which are measured of units or of decisions.
  static func metrics(of owner: Metric.Owner) -> [Entry] {
    Metric.meanings(of: owner).map { form, meaning in
      Entry("metric: \(form)", meaning, source: "definition")
    }
  }
}

extension OptionInfo {
  /// The help of an option for metrics: their words, and where they are explained.
  static func metricHelp(_ lead: String, _ forms: [String], _ end: String) -> String {
    "\(lead): \(forms.joined(separator: ", ")), restricted to one goal with :goal=NAME\(end); `bandolier explain "
      + "\(forms[0])` says what a word means."
  }
}
