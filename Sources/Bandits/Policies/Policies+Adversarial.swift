extension Policies {
  /// Policies for rewards that somebody may choose against them.
  static let adversarial = [
    PolicyEntry(Exp3.self), PolicyEntry(Exp3S.self), PolicyEntry(Exp3IX.self),
    PolicyEntry(Exp3PlusPlus.self), PolicyEntry(Exp4.self), PolicyEntry(Hedge.self),
    PolicyEntry(TsallisINF.self), PolicyEntry(Corral.self),
  ]
}
