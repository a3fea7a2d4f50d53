extension Policies {
  /// Policies for non-stationary rewards.
  static let changing = [
    PolicyEntry(DiscountedUCB.self), PolicyEntry(DiscountedThompson.self),
    PolicyEntry(SlidingWindowUCB.self), PolicyEntry(SlidingWindowKLUCB.self),
    PolicyEntry(CusumUCB.self), PolicyEntry(MonitoredUCB.self), PolicyEntry(GLRKLUCB.self),
    PolicyEntry(Fewa.self), PolicyEntry(RawUCB.self),
  ]
}
