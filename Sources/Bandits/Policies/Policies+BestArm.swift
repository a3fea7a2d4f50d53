extension Policies {
  /// Policies for best-arm identification.
  static let bestArm: [PolicyEntry] = [
    PolicyEntry(SuccessiveRejects.self), PolicyEntry(SequentialHalving.self),
    PolicyEntry(LilUCB.self), PolicyEntry(LUCB.self), PolicyEntry(TrackAndStop.self),
  ]
}
