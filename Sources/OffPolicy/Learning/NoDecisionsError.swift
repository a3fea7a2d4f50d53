/// An error thrown when an experiment has no decision from which a policy could be learned.
public struct NoDecisionsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The missing thing.
  public var description: String {
    "there is no confirmed decision with a propensity in (0, 1], from which a policy could be learned"
  }
}
