extension Policies {
  /// Policies that play the largest index, which a divergence gives.
  static let divergenceIndex = [
    PolicyEntry(KLUCB.self), PolicyEntry(KLUCBPlus.self), PolicyEntry(KLUCBPlusPlus.self),
    PolicyEntry(KLUCBGaussian.self), PolicyEntry(KLUCBPoisson.self),
    PolicyEntry(KLUCBExponential.self), PolicyEntry(IMED.self),
  ]

  /// Other policies for stochastic, stationary rewards.
  static let stochastic = [
    PolicyEntry(DMED.self), PolicyEntry(BESA.self), PolicyEntry(SuccessiveElimination.self),
  ]
}
