import Statistics

extension StorefrontGenerator {
  /// Plans the first visit of a unit: data points and a first look around.
  mutating func planFirstVisit(of position: Int) {
    let traits = units.recent[position].traits
    plan(templates.device, for: position, .device(traits.device))
    if streams.dataPoints.happens(perMille: 600) {
      plan(templates.interest, for: position, .interest(traits.interest))
    }
    if streams.dataPoints.happens(perMille: 400) {
      plan(templates.plan, for: position, .dataPlan(traits.plan))
    }
    planVisit(of: position)
  }

  /// Plans a visit: exposure to one experiment, a conversion, or a mere count.
  mutating func planVisit(of position: Int) {
    switch Draw.integer(below: 1_000, using: &streams.visits) {
    case ..<270: planExposure(of: position, to: .checkoutButton)
    case ..<600: planExposure(of: position, to: .recommendations)
    case ..<690: planPricing(of: position)
    case ..<890: planExposure(of: position, to: .homepage)
    case ..<970: planConversion(of: position)
    default: planVisitCount(of: position)
    }
  }

  /// Plans a single event, which fills the log up at its end.
  mutating func planVisitCount(of position: Int) {
    plan(templates.visits, for: position, .number(units.recent[position].visits))
  }

  /// Plans a visit to the pricing experiment. The price is decided once; a unit that has seen it sees it again, or
  /// something else.
  private mutating func planPricing(of position: Int) {
    let place = StorefrontExperiment.Place.pricing
    if units.recent[position].tracks[place.rawValue].isDecided,
      !streams.visits.happens(perMille: 300)
    {
      planExposure(of: position, to: .recommendations)
    } else {
      planExposure(of: position, to: place)
    }
  }

  private mutating func planConversion(of position: Int) {
    let unit = units.recent[position]
    if !unit.hasSignedUp, streams.conversions.happens(perMille: 400) {
      units.recent[position].hasSignedUp = true
      return plan(templates.signup, for: position, .plan(unit.traits.plan))
    }
    let cents = 990 + Int(Draw.integer(below: 19_001, using: &streams.conversions))
    plan(templates.purchase, for: position, .revenue(cents: cents))
    if streams.conversions.happens(perMille: 40) {
      let hours = 1 + 11 * Draw.unit(using: &streams.conversions)
      plan(
        templates.purchaseReturn, for: position, at: clock.now + Int64(hours * 3_600_000_000),
        .revenue(cents: cents))
    }
  }
}
