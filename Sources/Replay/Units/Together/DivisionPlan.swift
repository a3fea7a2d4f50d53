/// The parts of a log that requests are about, and what projectors see of each.
struct DivisionPlan: Sendable {
  /// A range of times.
  struct Times: Hashable, Sendable {
    let since: Int64?
    let until: Int64?

    /// Returns whether an event is in the range; data points before it are still in effect.
    @inline(__always)
    func contain(_ event: UnitEvent) -> Bool {
      if let until, event.time >= until { return false }
      return since.map { event.time >= $0 } ?? true || event.kind == .dataDimension
    }
  }

  /// A part of the log: experiments and times.
  struct Part: Sendable {
    let times: Times
    /// The number of its times.
    let timesNumber: Int
    /// What projectors know of it; of a single experiment its own arms alone.
    var context: UnitContext
    /// Whether it is of a single experiment, whose arms have numbers of their own.
    let isOfOne: Bool
    /// The requests about it.
    var requests: [UnitRequest] = []
    /// The different dimensions of the requests.
    var dimensions: [Dimension?] = []
    /// The projectors of the requests, those that do the same once.
    var projectors: [SharedProjector] = []
    /// The slots that must see every unit themselves.
    var others: [(slot: any UnitSlotting, dimension: Int)] = []
  }

  /// A projector of requests that differ in their dimensions.
  struct SharedProjector: Sendable {
    /// Its number among those that see the events of all units outside of experiments; nil if there are none.
    var outsiders: Int?
    /// Sees the units whose decisions have equal values in all dimensions.
    let slot: any UnitSlotting
    /// Sees what own units do outside of experiments.
    let own: any UnitSlotting
    /// The slots of the requests, which see the other units, with the numbers of their dimensions.
    var members: [(slot: any UnitSlotting, dimension: Int)] = []
  }

  private(set) var parts: [Part] = []
  /// The different times of the parts.
  private(set) var times: [Times] = []
  /// The projectors that see the events of all units outside of experiments, with the number of their times.
  private(set) var outsiders: [(slot: any UnitSlotting, timesNumber: Int)] = []
  /// By arm, its number among those of its experiment.
  let arms: [UInt32]
  /// By code of the experiment its parts; ``ofAll`` for others.
  private var byExperiment: [[Int]] = []
  private var ofAll: [Int] = []
  private let values: DecisionValues

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - context: The context of all units.
  ///   - values: The values of decisions in the dimensions.
  ///   - hasOutsiders: Whether there are events outside of experiments.
  init(
    _ requests: [UnitRequest], _ context: UnitContext, _ values: DecisionValues, hasOutsiders: Bool
  ) {
    self.values = values
    var armsOfOne: [UInt32: [Arm]] = [:]
    arms = context.arms.map { arm in
      armsOfOne[arm.experiment, default: []].append(arm)
      return UInt32(truncatingIfNeeded: armsOfOne[arm.experiment, default: []].count - 1)
    }
    var places: [UnitSelection: Int] = [:]
    for request in requests {
      var selection = request.selection
      selection.dimension = nil
      let place = places[selection] ?? parts.count
      if place == parts.count {
        places[selection] = place
        addPart(selection, context, armsOfOne)
      }
      parts[place].requests.append(request)
    }
    for experiment in byExperiment.indices { byExperiment[experiment] += ofAll }
    var kinds: [String: Int] = [:]
    for part in parts.indices { addProjectors(to: part, &kinds, hasOutsiders) }
  }

  private mutating func addPart(
    _ selection: UnitSelection, _ context: UnitContext, _ armsOfOne: [UInt32: [Arm]]
  ) {
    let times = Times(since: selection.since, until: selection.until)
    let number = self.times.firstIndex(of: times) ?? self.times.count
    if number == self.times.count { self.times.append(times) }
    var part = Part(
      times: times, timesNumber: number, context: context,
      isOfOne: selection.experiments?.count == 1)
    if part.isOfOne {
      part.context.arms = selection.experiments?.first.flatMap { armsOfOne[$0] } ?? []
    }
    for experiment in selection.experiments ?? [] {
      let more = Int(experiment) + 1 - byExperiment.count
      if more > 0 { byExperiment.append(contentsOf: repeatElement([], count: more)) }
      byExperiment[Int(experiment)].append(parts.count)
    }
    if selection.experiments == nil { ofAll.append(parts.count) }
    parts.append(part)
  }

  private mutating func addProjectors(
    to part: Int, _ kinds: inout [String: Int], _ hasOutsiders: Bool
  ) {
    var places: [String: Int] = [:]
    for request in parts[part].requests {
      let dimension =
        parts[part].dimensions.firstIndex(of: request.selection.dimension)
        ?? parts[part].dimensions.count
      if dimension == parts[part].dimensions.count {
        parts[part].dimensions.append(request.selection.dimension)
      }
      for (slot, identity) in request.open {
        guard let identity else {
          parts[part].others.append((slot, dimension))
          continue
        }
        let place = places[identity] ?? parts[part].projectors.count
        if place == parts[part].projectors.count {
          places[identity] = place
          var projector = SharedProjector(slot: slot.emptied(), own: slot.emptied())
          if hasOutsiders {
            let kind = "\(parts[part].timesNumber) \(identity)"
            let number = kinds[kind] ?? outsiders.count
            if number == outsiders.count {
              kinds[kind] = number
              outsiders.append((slot.emptied(), parts[part].timesNumber))
            }
            projector.outsiders = number
          }
          parts[part].projectors.append(projector)
        }
        parts[part].projectors[place].members.append((slot, dimension))
      }
    }
  }

  /// Returns the numbers of the parts of an experiment.
  @inline(__always)
  func parts(of experiment: UInt32) -> [Int] {
    Int(experiment) < byExperiment.count ? byExperiment[Int(experiment)] : ofAll
  }

  /// Finds the time of the latest event of each part.
  mutating func findLatest(in units: CollectedUnits) {
    var own = Array(repeating: Int64.min, count: parts.count)
    var others = Array(repeating: Int64.min, count: times.count)
    for bucket in 0..<units.bucketCount {
      // Safety: the events are read within the call.
      unsafe units.forEachRun(bucket) { events, _ in
        for index in 0..<events.count {
          let event = unsafe events[index]
          if event.kind.isOutsideOfExperiments {
            for number in times.indices where times[number].contain(event) {
              others[number] = max(others[number], event.time)
            }
          } else if !event.kind.isDecisionNote {
            for part in parts(of: event.experiment) where parts[part].times.contain(event) {
              own[part] = max(own[part], event.time)
            }
          }
        }
      }
    }
    for part in parts.indices {
      parts[part].context.latest = max(own[part], others[parts[part].timesNumber])
    }
  }

  /// Returns what the slots of a part see in each of its dimensions.
  func views(of part: Part) -> [DecisionValues.View] {
    part.dimensions.map { values.view(of: $0) }
  }

  /// Returns what projectors see that requests of a part share, unless a unit has several values: with one dimension
  /// its values, otherwise combinations; nil if they see nothing, as states for all combinations would be large.
  func commonView(of part: Part) -> DecisionValues.View? {
    if part.dimensions.count == 1 { return values.view(of: part.dimensions[0]) }
    let bytes = part.projectors.reduce(0) { $0 + $1.slot.bytesPerGroup }
    return values.combinationCount * bytes <= Self.mostCombinationBytes
      ? .column(values.combinations) : nil
  }

  /// The most memory of the states of a part for all combinations of values, in one variant.
  private static let mostCombinationBytes = 1 << 20

  /// Completes the states of all requests.
  func finish() {
    for part in parts {
      for projector in part.projectors {
        if let outsiders = projector.outsiders {
          projector.slot.merge(self.outsiders[outsiders].slot, nil)
          projector.slot.subtract(projector.own)
        }
        for (slot, dimension) in projector.members {
          slot.merge(
            projector.slot,
            part.dimensions.count == 1 ? nil : values.ofCombinations(part.dimensions[dimension]))
        }
      }
      for request in part.requests { request.context = part.context }
    }
  }
}

extension UnitEvent.Kind {
  /// Whether it belongs to no experiment.
  @inline(__always)
  var isOutsideOfExperiments: Bool {
    self == .conversion || self == .activity || self == .dataDimension
  }
}
