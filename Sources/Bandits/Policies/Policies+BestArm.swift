extension Policies {
  /// Policies that look for the best variant.
  static let bestArm: [PolicyEntry] = [
    PolicyEntry(SuccessiveRejects.self), PolicyEntry(SequentialHalving.self),
    PolicyEntry(LilUCB.self), PolicyEntry(LUCB.self), PolicyEntry(TrackAndStop.self),
  ]
}
