internal import DecidingCore
internal import Events

extension ExperimentClient {
  /// Records whether a user consents to tracking. Where the configuration requires consent, a user who has
  /// not given it gets the defaults (`"consent":"partial"`) or calls throw
  /// ``ExperimentError/consentRequired`` (`"complete"`), and neither exposures nor activity are logged;
  /// conversions and targeted deliveries are not affected. Refreshes of the configuration do not change the
  /// user's consent.
  ///
  /// - Throws: ``ExperimentError/visitorCodeInvalid(_:)``, ``ExperimentError/notRecorded(_:)``.
  public func setConsent(_ isGiven: Bool, for userID: String) throws(ExperimentError) {
    let unit = try unit(userID)
    try recorder.perform { transaction throws(ExperimentError) in
      guard transaction.state.visitors[unit]?.knowledge.consent != isGiven else { return }
      let datum = DataPoint(kind: VisitorKnowledge.consentKind, value: .flag(isGiven))
      try append([transaction.event(unit, .dataPoint(datum))], in: &transaction)
    }
  }

  /// Returns whether a user consents to tracking; nil when that was never set.
  public func consent(of userID: String) -> Bool? {
    recorder.read { $0.visitors[UnitID(userID)]?.knowledge.consent }
  }
}
