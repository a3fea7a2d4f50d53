import Events

/// The templates of every event of the shop, and their indices in the list.
struct StorefrontTemplates {
  /// The indices of the templates of one experiment.
  struct Experiment {
    /// By slot and variant.
    var confirmed: [[Int]] = []
    var provisional: [[Int]] = []
    var repeated: [[Int]] = []
    /// By slot.
    var excluded: [Int] = []
    var goal = 0
    var refused = 0
    var confirmation = 0
    var refund = 0
  }

  private let unitPrefix: UInt8
  private(set) var list: [EventTemplate] = []
  private(set) var experiments: [Experiment] = []
  private(set) var signup = 0
  private(set) var purchase = 0
  private(set) var purchaseReturn = 0
  private(set) var device = 0
  private(set) var interest = 0
  private(set) var plan = 0
  private(set) var visits = 0

  /// Creates the templates of some experiments, and of the events that belong to none.
  ///
  /// - Parameters:
  ///   - experiments: The experiments.
  ///   - unitPrefix: The letter before the number in the names of the units.
  init(_ experiments: [StorefrontExperiment], unitPrefix: UInt8 = UInt8(ascii: "u")) {
    self.unitPrefix = unitPrefix
    for experiment in experiments { add(experiment) }
    signup = add(EventTemplate(.conversion, texts: [(.goal, "signup")]))
    var purchased = EventTemplate(.conversion, texts: [(.goal, "purchase")])
    purchase = add(purchased)
    purchased.record.negative = true
    purchaseReturn = add(purchased)
    device = add(EventTemplate(.dataPoint, texts: [(.dataKind, "device"), (.key, "device")]))
    interest = add(EventTemplate(.dataPoint, texts: [(.dataKind, "interest"), (.key, "topic")]))
    plan = add(EventTemplate(.dataPoint, texts: [(.dataKind, "custom"), (.key, "plan")]))
    visits = add(EventTemplate(.dataPoint, texts: [(.dataKind, "custom"), (.key, "visits")]))
  }

  private mutating func add(_ template: EventTemplate) -> Int {
    list.append(template)
    list[list.count - 1].unitPrefix = unitPrefix
    return list.count - 1
  }

  private mutating func add(_ experiment: StorefrontExperiment) {
    var places = Experiment()
    for slot in experiment.slots.indices {
      let variants = experiment.slots[slot].variants.indices
      let reason = if case .thompson = experiment.logger { "adaptive" } else { "random" }
      let decisions = { (reason: String, status: EventStatus?) in
        variants.map { Self.decision(experiment, slot, $0, reason: reason, status: status) }
      }
      places.confirmed.append(decisions(reason, nil).map { add($0) })
      places.provisional.append(decisions(reason, .provisional).map { add($0) })
      places.repeated.append(decisions("sticky", .repeated).map { add($0) })
      var excluded = Self.decision(
        experiment, slot, 0, reason: "not-allocated", status: .excluded)
      // Nothing was drawn, so there is no propensity.
      excluded.record.propensity = nil
      excluded.record.hasProbabilities = false
      excluded.record.probabilities = []
      places.excluded.append(add(excluded))
    }
    addGoals(experiment, to: &places)
    experiments.append(places)
  }

  private mutating func addGoals(_ experiment: StorefrontExperiment, to places: inout Experiment) {
    let texts = [(EventRecord.TextField.experiment, experiment.name), (.goal, experiment.goal)]
    var goal = EventTemplate(.goal, texts: texts)
    goal.hasID = experiment.hasIDs
    if case .one = experiment.worth { goal.record.value = 1 }
    places.goal = add(goal)
    var refused = EventTemplate(.goal, texts: texts + [(.reason, "duplicate")])
    refused.hasID = experiment.hasIDs
    refused.record.value = goal.record.value
    refused.record.status = .refused
    places.refused = add(refused)
    var place = [(EventRecord.TextField.experiment, experiment.name)]
    if let point = experiment.slots.first?.point { place.append((.point, point)) }
    var confirmation = EventTemplate(.decisionConfirmed, texts: place)
    confirmation.hasID = experiment.hasIDs
    places.confirmation = add(confirmation)
    guard !experiment.refunds.isEmpty else { return }
    places.refund = add(EventTemplate(.goal, texts: [(.experiment, experiment.name), (.goal, "refund")]))
  }

  private static func decision(
    _ experiment: StorefrontExperiment, _ slot: Int, _ variant: Int, reason: String,
    status: EventStatus?
  ) -> EventTemplate {
    let place = experiment.slots[slot]
    var texts = [(EventRecord.TextField.experiment, experiment.name)]
    if let point = place.point { texts.append((.point, point)) }
    if let slot = place.slot { texts.append((.slot, slot)) }
    texts += [(.policy, experiment.logger.policy), (.reason, reason)]
    var template = EventTemplate(.decision, texts: texts)
    template.hasID = experiment.hasIDs
    template.record.hasChoices = true
    template.record.choices = place.variants.map { template.record.add($0) }
    template.record[.variant] = template.record.choices[variant]
    template.record.status = status
    template.record.propensity = experiment.propensity(of: variant, in: slot)
    if case .weights(let tenths) = experiment.logger {
      template.record.hasProbabilities = true
      template.record.probabilities = tenths.map { Double($0) / 10 }
    }
    return template
  }
}
