extension Policies {
  /// Policies for adversarial rewards.
  static let adversarial = [
    PolicyEntry(Exp3.self), PolicyEntry(Exp3S.self), PolicyEntry(Exp3IX.self),
    PolicyEntry(Exp3PlusPlus.self), PolicyEntry(Exp4.self), PolicyEntry(Hedge.self),
    PolicyEntry(TsallisINF.self), PolicyEntry(Corral.self),
  ]
}
