/// The horizon, checkpoints and batch size of simulated runs.
public struct RunRules: Sendable, Hashable {
  /// The number of decisions in a run, at least 1.
  public var horizon: Int
  /// The steps at which a run is measured.
  public var checkpoints: Checkpoints
  /// The number of decisions after which the policy learns their rewards, at least 1; 1 for immediate rewards.
  public var batch: Int

  /// Creates the rules.
  public init(horizon: Int, checkpoints: Checkpoints = .logarithmic, batch: Int = 1) {
    self.horizon = horizon
    self.checkpoints = checkpoints
    self.batch = batch
  }
}
