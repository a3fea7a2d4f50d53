internal import Prediction

/// Resolves the events of one unit at a time into steps, and the names in them into indices of the current options,
/// following the semantics of the live studies: a take of an unknown study or option creates it.
///
/// Runs are numbered within a unit from 0, in the order in which their studies first appear.
struct StudyResolver {
  /// The steps of the most recently resolved unit, in order of time.
  private(set) var steps: [StudyStep] = []
  /// The tables that steps refer to.
  private(set) var tables = StudyTables()
  /// The number of studies of the unit.
  private(set) var runCount = 0
  /// The counts over all units.
  private(set) var ledger = PredictionLedger()

  /// The steps, grouped by run.
  private var grouped: [StudyStep] = []

  private let studies: CollectedStudies
  private let goesToEnd: Bool
  /// By study, the number of global configurations.
  private let configurationCounts: [Int]
  /// The runs, whose memory is reused.
  private var runs: [StudyRun] = []
  /// By study, its run plus one; 0 if it has none.
  private var runOfStudy: [Int32]
  /// By option, its index plus one in its study; 0 if it is not in it.
  private var places: [Int32]
  /// The value of the dimension.
  private var value: UInt32 = 0
  /// The current features of the unit, by slot in order of first appearance.
  private var known: [(slot: UInt64, feature: Feature)] = []
  /// The version of the current features: for studies a number that grows with every change, for decisions the number
  /// of the context plus one; 0 for no features.
  private var knowledge = 0
  /// The version that the tables hold last, if versions grow.
  private var knowledgeKept = 0

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - studies: The studies whose units are resolved.
  ///   - goesToEnd: Whether global configurations after the last event of a unit in a study are applied: takes of
  ///     options that are not known yet are dropped if a study is redefined.
  init(_ studies: CollectedStudies, goesToEnd: Bool = false) {
    self.goesToEnd = goesToEnd
    configurationCounts = studies.ofEveryone.map(\.count)
    self.studies = studies
    runOfStudy = Array(repeating: 0, count: studies.catalog.studies.count)
    places = Array(repeating: 0, count: studies.catalog.options.count)
    if studies.source == .decisions { tables.features = [[]] + studies.features.contexts }
  }

  /// Replaces the current events by those of a unit; tables are discarded unless they are to be kept.
  mutating func resolve(_ history: Span<UnitEvent>, keepingTables: Bool = false) {
    forget(keepingTables)
    for index in history.indices {
      let event = history[index]
      switch event.kind {
      case .optionTaken: take(event, event.subject, studies.studies[Int(event.experiment)])
      case .decision: decide(event)
      case .optionEncountered: encounter(event)
      case .studyConfigured: configure(event)
      case .dimension, .dataDimension: value = event.subject
      case .feature: learn(event)
      case .context: knowledge = Int(event.subject) + 1
      default: count(event)
      }
    }
    if goesToEnd {
      for run in 0..<runCount { catchUp(run, (.max, .max)) }
    }
    ledger.units += 1
    ledger.runs += runCount
  }

  private mutating func forget(_ keepingTables: Bool) {
    for run in 0..<runCount {
      runOfStudy[Int(runs[run].study)] = 0
      for option in runs[run].options { places[Int(option)] = 0 }
    }
    runCount = 0
    value = 0
    steps.removeAll(keepingCapacity: true)
    known.removeAll(keepingCapacity: true)
    (knowledge, knowledgeKept) = (0, 0)
    guard !keepingTables else { return }
    tables.options.removeAll(keepingCapacity: true)
    if studies.source == .studies { tables.features.removeAll(keepingCapacity: true) }
  }

  /// Calls the closure with the steps of each run of the unit, numbered 0 within them.
  ///
  /// - Complexity: O(steps + runs).
  mutating func forEachRun(_ body: (_ run: Int, Span<StudyStep>) -> Void) {
    guard runCount > 1 else {
      if runCount == 1 { body(0, steps.span) }
      return
    }
    var ends = [Int](repeating: 0, count: runCount + 1)
    for step in steps { ends[Int(step.run) + 1] += 1 }
    for run in 0..<runCount { ends[run + 1] += ends[run] }
    let starts = ends
    grouped.removeAll(keepingCapacity: true)
    grouped.append(contentsOf: steps)
    for var step in steps {
      let run = Int(step.run)
      step.run = 0
      grouped[ends[run]] = step
      ends[run] += 1
    }
    for run in 0..<runCount { body(run, grouped.span.extracting(starts[run]..<starts[run + 1])) }
  }

  // MARK: Events

  @inline(__always)
  private mutating func take(_ event: UnitEvent, _ option: UInt32, _ study: UInt32) {
    guard study != CollectedStudies.none else { return }
    let run = run(of: study, event)
    if runs[run].features != knowledge { showFeatures(run, event) }
    var place = Int(places[Int(option)]) - 1
    var kind = StudyStep.Kind.take
    if place < 0 {
      place = runs[run].options.count
      runs[run].append(option)
      runs[run].isThere = true
      places[Int(option)] = Int32(truncatingIfNeeded: place + 1)
      kind = .novelTake
      ledger.novelTakes += 1
    }
    runs[run].take(place)
    ledger.takes += 1
    steps.append(
      StudyStep(
        kind, time: event.time, run: UInt32(truncatingIfNeeded: run), study: study, value: value,
        place: UInt32(truncatingIfNeeded: place), option: option))
  }

  private mutating func decide(_ event: UnitEvent) {
    // Its context was known for this decision only, whether or not its study is asked for.
    defer { knowledge = 0 }
    let study = studies.studies[Int(event.subject)]
    guard study != CollectedStudies.none else { return }
    let run = run(of: study, event)
    if event.experiment != 0, event.experiment != runs[run].offer {
      offer(event.experiment, to: run, event)
    }
    take(event, studies.optionsOfArms[Int(event.subject)], study)
  }

  private mutating func encounter(_ event: UnitEvent) {
    let study = studies.studies[Int(event.experiment)]
    guard study != CollectedStudies.none else { return }
    ledger.encounters += 1
    let run = run(of: study, event)
    guard !runs[run].options.isEmpty else {
      ledger.emptyEncounters += 1
      return
    }
    runs[run].encounter()
    steps.append(step(.encounter, run, event.time))
  }

  private mutating func configure(_ event: UnitEvent) {
    let configuration = studies.configurations[Int(event.subject)]
    let run = run(of: configuration.study, event)
    apply(configuration, to: run, time: event.time)
  }

  /// Counts a decision that does not count.
  private mutating func count(_ event: UnitEvent) {
    guard event.kind.isDecision else { return }
    knowledge = 0
    guard studies.studies[Int(event.subject)] != CollectedStudies.none else { return }
    ledger.uncounted.count(event.kind)
  }

  // MARK: Runs

  /// Returns the run of a study, after applying the global configurations up to the event.
  @inline(__always)
  private mutating func run(of study: UInt32, _ event: UnitEvent) -> Int {
    var run = Int(runOfStudy[Int(study)]) - 1
    if run < 0 {
      run = runCount
      if run == runs.count { runs.append(StudyRun()) }
      runs[run].begin(study)
      runCount += 1
      runOfStudy[Int(study)] = Int32(truncatingIfNeeded: runCount)
    }
    if runs[run].configured < configurationCounts[Int(study)] {
      catchUp(run, (event.time, event.number.bitPattern))
    }
    return run
  }

  private mutating func catchUp(_ run: Int, _ key: (time: Int64, position: UInt64)) {
    let all = studies.ofEveryone[Int(runs[run].study)]
    while runs[run].configured < all.count {
      let next = all[runs[run].configured]
      guard (next.time, next.position) < key else { return }
      runs[run].configured += 1
      apply(studies.configurations[Int(next.index)], to: run, time: next.time)
    }
  }

  private mutating func apply(
    _ configuration: CollectedStudies.Configuration, to run: Int, time: Int64
  ) {
    let (wasThere, isChange) = (runs[run].isThere, configuration.action == .change)
    runs[run].isThere = configuration.action != .remove
    guard wasThere || runs[run].isThere else { return }
    replace(run, isChange: wasThere && isChange, time) {
      $0.set(configuration.options, configuration.takes, configuration.encountered)
    }
  }

  private mutating func offer(_ number: UInt32, to run: Int, _ event: UnitEvent) {
    let offered = studies.offers[Int(number) - 1]
    let isSame =
      offered.count == runs[run].options.count
      && offered.allSatisfy { places[Int($0)] != 0 }
    if !isSame {
      let wasThere = runs[run].isThere
      runs[run].isThere = true
      replace(run, isChange: wasThere, event.time) {
        $0.set(offered: offered)
      }
    }
    runs[run].offer = number
  }

  /// Replaces the options of a run.
  private mutating func replace(
    _ run: Int, isChange: Bool, _ time: Int64, _ body: (inout StudyRun) -> Void
  ) {
    if isChange { tables.options.append(runs[run].table) }
    for option in runs[run].options { places[Int(option)] = 0 }
    body(&runs[run])
    for (place, option) in runs[run].options.enumerated() {
      places[Int(option)] = Int32(truncatingIfNeeded: place + 1)
    }
    tables.options.append(runs[run].table)
    var step = step(isChange ? .change : .define, run, time)
    step.place = UInt32(truncatingIfNeeded: tables.options.count - 1)
    steps.append(step)
  }

  // MARK: Features

  private mutating func learn(_ event: UnitEvent) {
    let number = Int(event.subject)
    let slot = studies.features.slots[number]
    let feature = Feature(code: studies.features.features.keys[number], value: event.number)
    if let place = known.firstIndex(where: { $0.slot == slot }) {
      guard known[place].feature != feature else { return }
      known[place].feature = feature
    } else {
      known.append((slot, feature))
    }
    knowledge += 1
  }

  /// Passes the current features of the unit to a run.
  private mutating func showFeatures(_ run: Int, _ event: UnitEvent) {
    if studies.source == .studies, knowledgeKept != knowledge {
      tables.features.append(known.map(\.feature).sorted { $0.code < $1.code })
      knowledgeKept = knowledge
    }
    runs[run].features = knowledge
    var step = step(.features, run, event.time)
    step.place = UInt32(
      truncatingIfNeeded: studies.source == .studies ? tables.features.count - 1 : knowledge)
    steps.append(step)
  }

  // MARK: Steps

  private func step(_ kind: StudyStep.Kind, _ run: Int, _ time: Int64) -> StudyStep {
    StudyStep(
      kind, time: time, run: UInt32(truncatingIfNeeded: run), study: runs[run].study, value: value)
  }
}
