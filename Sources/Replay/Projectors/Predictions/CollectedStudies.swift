internal import EventLog
internal import Events
internal import Prediction
internal import Specifications

/// The study events of the units of a log, in buckets: an intermediate form, resolved to ``StudyStep``.
struct CollectedStudies: Sendable {
  /// A configuration with its options as indices.
  struct Configuration: Sendable {
    var study: UInt32
    var action: StudyConfiguration.Action
    var options: [UInt32]
    var takes: [Int]
    var encountered: Int
  }

  /// Marks a study or option that is not included.
  static let none = UInt32.max

  /// The studies and options.
  private(set) var catalog = StudyCatalog(studies: [], options: [])
  let source: PredictionRules.Source
  /// The number of buckets, a power of two.
  let bucketCount: Int
  /// The arms of decisions.
  let arms: [Arm]
  /// By code of the key, or by arm: the index of the study, or ``none``.
  private(set) var studies: [UInt32] = []
  /// By arm: the index of its option, or ``none``.
  private(set) var optionsOfArms: [UInt32] = []
  /// The lists of choices of decisions, as indices of options.
  private(set) var offers: [[UInt32]] = []
  private(set) var configurations: [Configuration] = []
  /// By study: the global configurations, which apply to every unit, in order of time, and at equal times of the log.
  private(set) var ofEveryone: [[StudyConfigurations.GlobalConfiguration]] = []
  /// The unit-related counts made while the log was read; without configurations of everyone.
  let ledger: PredictionLedger
  /// The numbers of readable and unreadable configurations of everyone.
  let countsOfEveryone: (read: Int, unreadable: Int)
  /// The codes and slots of features, and the contexts of decisions.
  let features: FeatureRegister
  /// The hashes of the names of units, by which they are ordered; only for predictors that learn from several units.
  var hashes = UnitHashes(kept: [])

  /// Every so many events, by time and unit; empty unless they were wanted.
  let samples: [(time: Int64, unit: UInt32)]

  private let parts: [UnitBuckets]
  private let translations: [Translation]

  /// Maps each index of a part to the common one.
  private struct Translation: Sendable {
    var names: StudyRegister.Translation
    var values: [UInt32]
    var features: [UInt32]
    var contexts: [UInt32]
  }

  /// Combines the parts of a log, in log order.
  init(
    _ state: StudyCollector.State, _ collector: StudyCollector, _ names: LogNames,
    _ rules: PredictionRules
  ) {
    source = rules.source
    bucketCount = collector.bucketCount
    var parts = [state] + state.later
    var register = parts[0].register
    var values = parts[0].values
    var features = parts[0].features
    var ledger = parts[0].ledger
    var translations = [
      Translation(names: StudyRegister.Translation(), values: [], features: [], contexts: [])
    ]
    for part in parts.dropFirst() {
      let names = register.add(part.register)
      let known = features.add(part.features)
      translations.append(
        Translation(
          names: names, values: part.values.values.map { values.index(of: $0) },
          features: known.features, contexts: known.contexts))
      ledger.merge(part.ledger)
    }
    for index in parts.indices { parts[index].events.settle(atOnce: true) }
    self.parts = parts.map(\.events)
    samples = parts.flatMap(\.samples)
    self.translations = translations
    self.features = features
    let counts = collector.configurations.counts
    countsOfEveryone = collector.configurations.countsOfEveryone
    ledger.configurations += counts.read - countsOfEveryone.read
    ledger.unreadableConfigurations += counts.unreadable - countsOfEveryone.unreadable
    self.ledger = ledger
    arms = register.arms.arms
    let dimension: Vocabulary = collector.selection.dimension == .policy ? .policies : .reasons
    let texts = values.values.map { $0.value { names.string($0, in: dimension) }.text }
    if source == .studies {
      addStudies(&register, collector.configurations, names, texts)
    } else {
      addPlaces(register, names, texts, rules.studies.map { Set($0.map { ExperimentID($0) }) })
    }
  }

  /// Calls the closure with the ordered events of each unit of a bucket, by ascending codes.
  ///
  /// - Parameters:
  ///   - bucket: The bucket.
  ///   - scratch: Reusable buffers, private to one thread.
  ///   - body: Receives the history of a unit.
  /// - Throws: `LogError` if a temporary file cannot be read back, and errors of the closure.
  func forEachUnit(
    ofBucket bucket: Int, _ scratch: inout Scratch, _ body: (Span<UnitEvent>) throws -> Void
  ) throws {
    scratch.events.removeAll(keepingCapacity: true)
    for (number, part) in parts.enumerated() {
      let start = scratch.events.count
      try part.read(bucket, into: &scratch.events, &scratch.bytes)
      guard number > 0 else { continue }
      for index in start..<scratch.events.count {
        Self.translate(&scratch.events[index], translations[number])
      }
    }
    try scratch.order.forEachUnit(scratch.events, arms: arms) { history, _ in try body(history) }
  }

  /// Buffers that a thread reuses from bucket to bucket.
  struct Scratch {
    fileprivate var events: [UnitEvent] = []
    fileprivate var bytes: [UInt8] = []
    fileprivate var order: UnitOrder

    init(_ studies: CollectedStudies) { order = UnitOrder(bucketCount: studies.bucketCount) }
  }

  @inline(__always)
  private static func translate(_ event: inout UnitEvent, _ translation: Translation) {
    switch event.kind {
    case .optionTaken: event.subject = translation.names.options[Int(event.subject)]
    case .dimension, .dataDimension: event.subject = translation.values[Int(event.subject)]
    case .feature: event.subject = translation.features[Int(event.subject)]
    case .context: event.subject = translation.contexts[Int(event.subject)]
    case .confirmation: event.subject = translation.names.arms[Int(event.subject)]
    case _ where event.kind.isDecision:
      event.subject = translation.names.arms[Int(event.subject)]
      if event.experiment != 0 {
        event.experiment = translation.names.offers[Int(event.experiment) - 1] + 1
      }
    default: break
    }
  }
}

// Collection of studies and options.
extension CollectedStudies {
  /// Adds the studies of data points and configurations.
  private mutating func addStudies(
    _ register: inout StudyRegister, _ given: StudyConfigurations, _ names: LogNames,
    _ values: [String?]
  ) {
    let limit = names.codeLimit(.keys)
    var codes = Set(register.options.keys.map { UInt32(truncatingIfNeeded: $0 >> 32) })
    codes.formUnion(register.encountered)
    // A configured study may have no code among the keys.
    var extra: [ExperimentID: UInt32] = [:]
    let configured = given.all.map { configuration -> UInt32 in
      let name = configuration.study
      if let code = names.code(of: name.rawValue, in: .keys) ?? extra[name] { return code }
      let code = limit + UInt32(truncatingIfNeeded: extra.count)
      extra[name] = code
      return code
    }
    codes.formUnion(configured)
    let extraNames = Dictionary(uniqueKeysWithValues: extra.map { ($0.value, $0.key) })
    let named = codes.map { code in
      (code, name: extraNames[code] ?? ExperimentID(names.string(code, in: .keys) ?? ""))
    }.sorted { $0.name < $1.name }
    studies = Array(repeating: Self.none, count: Int(limit) + extra.count)
    for (number, study) in named.enumerated() {
      studies[Int(study.0)] = UInt32(truncatingIfNeeded: number)
    }
    configurations = zip(given.all, configured).map { configuration, code in
      Configuration(
        study: studies[Int(code)], action: configuration.action,
        options: configuration.options.map { register.option(code, $0.name) },
        takes: configuration.options.map(\.taken), encountered: configuration.encountered)
    }
    ofEveryone = Array(repeating: [], count: named.count)
    for event in given.ofEveryone {
      ofEveryone[Int(configurations[Int(event.index)].study)].append(event)
    }
    catalog = StudyCatalog(
      studies: named.map(\.name.rawValue),
      options: register.options.keys.map { key in
        (
          studies[Int(key >> 32)], register.names[Int(UInt32(truncatingIfNeeded: key))].rawValue
        )
      }, values: values)
  }

  /// Adds the studies of decisions.
  private mutating func addPlaces(
    _ register: StudyRegister, _ names: LogNames, _ values: [String?], _ wanted: Set<ExperimentID>?
  ) {
    var places: [(name: [String], arms: [Int])] = []
    var known: [Arm: Int] = [:]
    for (index, arm) in arms.enumerated() where arm.variant != 0 {
      var place = arm
      place.variant = 0
      if known[place] == nil {
        known[place] = places.count
        places.append((Self.name(place, names), []))
      }
      places[known[place] ?? 0].arms.append(index)
    }
    let chosen = places.filter { place in
      wanted.map {
        $0.contains(ExperimentID(place.name.joined(separator: "/")))
          || $0.contains(ExperimentID(place.name[0]))
      } ?? true
    }.sorted { a, b in
      zip(a.name, b.name).first { ExperimentID($0) != ExperimentID($1) }
        .map { ExperimentID($0) < ExperimentID($1) } ?? (a.name.count < b.name.count)
    }
    studies = Array(repeating: Self.none, count: arms.count)
    optionsOfArms = studies
    var options: [(study: UInt32, name: String)] = []
    for (number, place) in chosen.enumerated() {
      for arm in place.arms { studies[arm] = UInt32(truncatingIfNeeded: number) }
    }
    for (index, arm) in arms.enumerated() where studies[index] != Self.none {
      optionsOfArms[index] = UInt32(truncatingIfNeeded: options.count)
      options.append((studies[index], names.string(arm.variant, in: .variants) ?? ""))
    }
    offers = register.offers.map { offer in
      var seen: Set<UInt32> = []
      return offer.map { optionsOfArms[Int($0)] }.filter { seen.insert($0).inserted }
    }
    ofEveryone = Array(repeating: [], count: chosen.count)
    catalog = StudyCatalog(
      studies: chosen.map { $0.name.joined(separator: "/") }, options: options, values: values)
  }

  /// Returns the name of a place: that of the experiment, with point and slot if they are not the standard ones.
  private static func name(_ place: Arm, _ names: LogNames) -> [String] {
    let experiment = names.string(place.experiment, in: .experiments) ?? ""
    let point = names.string(place.point, in: .points) ?? PointID.standard.rawValue
    let slot = names.string(place.slot, in: .slots) ?? SlotID.standard.rawValue
    let isStandard =
      PointID(point) == PointID.standard && SlotID(slot) == SlotID.standard
    return isStandard ? [experiment] : [experiment, point, slot]
  }
}
