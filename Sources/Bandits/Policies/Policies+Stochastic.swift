extension Policies {
  /// Policies for stochastic, stationary rewards.
  static let stochastic = [
    PolicyEntry(EpsilonDecreasing.self), PolicyEntry(Gradient.self), PolicyEntry(UCB2.self),
    PolicyEntry(OCUCB.self), PolicyEntry(KLUCBPlus.self), PolicyEntry(KLUCBPlusPlus.self),
    PolicyEntry(KLUCBGaussian.self), PolicyEntry(KLUCBPoisson.self),
    PolicyEntry(KLUCBExponential.self), PolicyEntry(DMED.self), PolicyEntry(BESA.self),
    PolicyEntry(SuccessiveElimination.self), PolicyEntry(UnknownVarianceThompson.self),
    PolicyEntry(PoissonThompson.self), PolicyEntry(TopTwoThompson.self),
    PolicyEntry(BootstrapThompson.self), PolicyEntry(Gittins.self),
  ]
}
