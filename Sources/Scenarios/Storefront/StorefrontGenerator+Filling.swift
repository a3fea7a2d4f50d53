import Events
import Statistics

extension StorefrontGenerator {
  /// The names that recur in events, as bytes.
  private enum Names {
    static let device = Array("device".utf8)
    static let country = Array("country".utf8)
    static let age = Array("age".utf8)
    static let returning = Array("returning".utf8)
    static let price = Array("price".utf8)
    static let plan = Array("plan".utf8)
    static let devices = UnitTraits.devices.map { Array($0.name.utf8) }
    static let countries = UnitTraits.countries.map { Array($0.name.utf8) }
    static let plans = UnitTraits.plans.map { Array($0.name.utf8) }
    static let interests = UnitTraits.interests.map { Array($0.name.utf8) }
    /// The base prices of the offers on the homepage, in cents.
    static let prices: [UInt64] = [2_900, 4_500, 3_900, 1_500]
  }

  /// Fills the record with an event, and passes a reward that arrives with it to the adaptive logger.
  mutating func fill(_ record: inout EventRecord, with event: PlannedEvent) {
    templates.list[event.template].fill(
      &record, time: event.time, unit: event.unit, id: event.order)
    switch event.detail {
    case .plain: break
    case .adaptive(let variant):
      record.propensity = thompson.probabilities[variant]
      record.hasProbabilities = true
      record.probabilities.append(contentsOf: thompson.probabilities)
    case .propensity(let propensity): record.propensity = propensity
    case .context(let position, let prices):
      addContext(of: units.recent[position], to: &record)
      if prices { addPrices(to: &record) }
    case .click(let variant): thompson.count(rewardFor: variant)
    case .value(let cents): record.value = Double(cents) / 100
    case .revenue(let cents):
      record.revenue = Double(cents) / 100
      tallies.count(revenue: cents, isNegative: record.isReversal)
    case .plan(let index):
      let name = record.add(copying: Names.plan)
      let value = record.add(copying: Names.plans[Int(index)])
      record.hasMetadata = true
      record.metadata.append(EventRecord.Attribute(name: name, value: .text(value)))
      tallies.countSignup()
    case .device(let index):
      record.dataValue = .text(record.add(copying: Names.devices[Int(index)]))
    case .dataPlan(let index):
      record.dataValue = .text(record.add(copying: Names.plans[Int(index)]))
    case .interest(let index):
      record.dataValue = .text(record.add(copying: Names.interests[Int(index)]))
    case .number(let number): record.dataValue = .number(Double(number))
    }
  }

  private func addContext(of unit: StorefrontUnit, to record: inout EventRecord) {
    let traits = unit.traits
    let values: [4 of EventRecord.Value] = [
      .text(record.add(copying: Names.devices[Int(traits.device)])),
      .text(record.add(copying: Names.countries[Int(traits.country)])),
      .number(Double(traits.age)),
      .flag(unit.visits > 1),
    ]
    let names: [4 of EventRecord.Slice] = [
      record.add(copying: Names.device), record.add(copying: Names.country),
      record.add(copying: Names.age), record.add(copying: Names.returning),
    ]
    record.hasContext = true
    for index in names.indices {
      record.context.append(EventRecord.Attribute(name: names[index], value: values[index]))
    }
  }

  /// Adds the price of each offer, up to a tenth below or above the base price.
  private mutating func addPrices(to record: inout EventRecord) {
    let name = record.add(copying: Names.price)
    record.hasFeatures = true
    for (choice, usual) in zip(record.choices, Names.prices) {
      let lowest = usual - usual / 10
      let cents = lowest + Draw.integer(below: usual / 5 + 1, using: &streams.prices)
      record.featureGroups.append(EventRecord.FeatureGroup(variant: choice, count: 1))
      record.features.append(
        EventRecord.Attribute(name: name, value: .number(Double(cents) / 100)))
    }
  }
}
