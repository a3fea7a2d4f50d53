// What the words of verdicts mean, in the words of `explain`.

extension Explanation {
  /// Returns an entry for each word of a column.
  static func words<Word: CaseIterable & RawRepresentable<String>>(
    of column: String, _ meaning: (Word) -> String
  ) -> [Entry] {
    Word.allCases.map { Entry(column, word: $0, meaning($0)) }
  }
}

extension ComparisonVerdict {
  /// What the verdict says.
  var meaning: String {
    switch self {
    case .better: "the variant differs significantly from the baseline, on the better side of the metric"
    case .worse: "the variant differs significantly from the baseline, on the worse side of the metric"
    case .higher: "the variant is significantly above the baseline in a metric of which neither side is better"
    case .lower: "the variant is significantly below the baseline in a metric of which neither side is better"
    case .noDifference:
      "not significant: this is no proof that the variants are equal; report power says how many units would find an "
        + "effect of a size"
    case .tooEarly:
      "too few events to test, or fewer units than the plan of the experiment asks for; the reason says which"
    case .marginOpen: "with --margin: it is not shown that the variant is within the margin of the baseline"
    case .marginKept: "with --margin: the variant is shown not to be worse than the baseline by more than the margin"
    case .notValid: "the data forbid the comparison, whatever the numbers; the reason names the check that failed"
    case .notCompared:
      "nothing to test: no other variant, values that do not vary, or a policy that learned; the reason says which"
    }
  }
}

extension EvaluationVerdict.Answer {
  /// What the verdict says.
  var meaning: String {
    switch self {
    case .answers: "no check found a reason to doubt the estimates: read them with their intervals"
    case .weak: "the estimates are more uncertain than their intervals say; the reasons name the checks"
    case .cannotAnswer: "the log does not tell what the policy would earn: do not use the estimates"
    }
  }
}

extension HealthVerdict {
  /// What the verdict says.
  var meaning: String {
    switch self {
    case .ok: "the check found no problem"
    case .warning: "look into it before you use the data; the rule of the check has the limit"
    case .failed: "the data cannot be used as they are; --fail-on makes the command exit with code 3"
    case .notApplicable: "the check says nothing about these data; its detail says why"
    }
  }
}
