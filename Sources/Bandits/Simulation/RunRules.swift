/// How runs are made, beside policy and environment.
public struct RunRules: Sendable, Hashable {
  /// How many decisions a run has, at least 1.
  public var horizon: Int
  /// When it is looked at.
  public var checkpoints: Checkpoints
  /// After how many decisions a policy is told their rewards, at least 1; 1 for at once.
  public var batch: Int

  /// Makes rules.
  public init(horizon: Int, checkpoints: Checkpoints = .logarithmic, batch: Int = 1) {
    self.horizon = horizon
    self.checkpoints = checkpoints
    self.batch = batch
  }
}
