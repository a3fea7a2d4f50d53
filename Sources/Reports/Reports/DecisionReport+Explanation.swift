extension DecisionReport {
  public static let explanation = Explanation(
    question: "ship each variant, roll it back, or keep running?",
    inputs: "as report compare, and an analysis file (--analysis) with the metrics that decide",
    of: columns, rules: CardWords.entries)
}
