public import Events

/// Writes the events of one log in a format.
public protocol EventExporter {
  /// The number of events so far that the format cannot express and that were not written, by what they are in the
  /// plural: `conversions`.
  var omitted: [String: Int] { get }

  /// Appends an event to bytes, or holds it back until it is known whether its reward follows.
  ///
  /// - Parameters:
  ///   - record: The event, which is valid; events come in the order of the log.
  ///   - bytes: The output, which the caller may empty between two events.
  mutating func append(_ record: EventRecord, to bytes: inout [UInt8])

  /// Appends what was held back; no event follows.
  mutating func finish(to bytes: inout [UInt8])

  /// After the last event, why there is no export at all; nil if there is one.
  var refusal: String? { get }
}

extension EventExporter {
  /// nil: whatever the log has, the output is an export of it.
  public var refusal: String? { nil }
}

/// An exporter that writes decisions with the rewards that follow them.
protocol JoiningExporter: EventExporter {
  /// The decisions that wait for their rewards.
  var join: DecisionJoin { get set }

  /// Writes a group, which may be empty.
  mutating func write(_ group: DecisionGroup, to bytes: inout [UInt8])

  /// Writes or omits a reward or confirmation that belongs to no group.
  mutating func writeSeparate(_ record: EventRecord, to bytes: inout [UInt8])
}

extension JoiningExporter {
  var omitted: [String: Int] { join.omitted }

  mutating func append(_ record: EventRecord, to bytes: inout [UInt8]) {
    switch join.add(record) {
    case .joined, .omitted: break
    case .begins:
      write(join.group, to: &bytes)
      join.begin(record)
    case .separate:
      finish(to: &bytes)
      writeSeparate(record, to: &bytes)
    }
  }

  mutating func finish(to bytes: inout [UInt8]) {
    write(join.group, to: &bytes)
    join.begin(nil)
  }
}

/// Joins the decisions of a log with the rewards that follow them, for formats that write both as one record.
///
/// A reward is joined if it is of the same unit and experiment at the same time, and only events of the same unit,
/// experiment and time are between. The decisions of several slots of one unit at one time are one record.
struct DecisionJoin {
  /// The result of adding an event.
  enum Step {
    /// The event was added to the group.
    case joined
    /// The event is a reward or confirmation that belongs to no open group.
    case separate
    /// The event begins a group.
    case begins
    /// The event is omitted.
    case omitted
  }

  /// The events that were not written, by what they are.
  private(set) var omitted: [String: Int] = [:]
  /// The open group.
  private(set) var group = DecisionGroup()
  private var experiment: [UInt8]?

  /// Counts an event that is not written.
  mutating func omit(_ kind: String, _ count: Int = 1) { omitted[kind, default: 0] += count }

  /// Adds an event to the open group if it belongs to it.
  mutating func add(_ record: EventRecord) -> Step {
    if let kind = omission(of: record) {
      omit(kind)
      return .omitted
    }
    switch record.kind {
    case .decision: return group.join(decision: record) ? .joined : .begins
    case .goal: return group.join(goal: record) ? .joined : .separate
    default: return .separate
    }
  }

  /// Replaces the open group by one with a decision, or by none.
  mutating func begin(_ record: EventRecord?) { group = DecisionGroup(record) }

  private mutating func omission(of record: EventRecord) -> String? {
    switch record.kind {
    case .conversion: return "conversions"
    case .dataPoint: return "data points"
    case .sessionExpired, .assignmentRemoved, .configurationApplied: return "life-cycle events"
    case .decisionConfirmed where record[.unit].count <= 0: return "confirmations without a unit"
    case .decision, .goal, .decisionConfirmed: break
    }
    if record.kind == .decision, record.hasChoices, !record.hasVariantAmongChoices {
      return "decisions with other variants than their choices"
    }
    switch record.status {
    case .excluded: return "excluded decisions"
    case .repeated: return "repeated decisions"
    case .refused: return "refused goals"
    default: break
    }
    let own = record.bytes[record[.experiment].range]
    if experiment == nil { experiment = Array(own) }
    return experiment?.elementsEqual(own) == true ? nil : "events of further experiments"
  }
}

/// A decision, or the decisions of several slots at one time, with their rewards.
struct DecisionGroup {
  /// The decisions.
  private(set) var decisions: [EventRecord] = []
  /// The reward of each decision; nil if there is none.
  private(set) var goals: [EventRecord?] = []
  /// The reward of all slots together.
  private(set) var sharedGoal: EventRecord?

  init(_ decision: EventRecord? = nil) {
    if let decision {
      decisions = [decision]
      goals = [nil]
    }
  }

  /// Whether the decisions are of slots.
  var hasSlots: Bool { decisions.first?[.slot].isPresent == true }

  /// Whether the choices belong to slots, as in a slate: a later slot may choose what an earlier one has chosen, or
  /// there is one reward for all.
  var isSlate: Bool {
    guard hasSlots else { return false }
    if sharedGoal != nil { return true }
    var taken: Set<ArraySlice<UInt8>> = []
    for decision in decisions {
      if decision.choices.contains(where: { taken.contains(decision.bytes[$0.range]) }) {
        return true
      }
      taken.insert(decision.bytes[decision[.variant].range])
    }
    return false
  }

  private func belongs(_ record: EventRecord) -> Bool {
    guard let first = decisions.first else { return false }
    return first.time == record.time && first.hasSame(.unit, as: record)
  }

  mutating func join(decision: EventRecord) -> Bool {
    guard belongs(decision), hasSlots, decision[.slot].isPresent, sharedGoal == nil,
      !decisions.contains(where: { $0.hasSame(.slot, as: decision) })
    else { return false }
    decisions.append(decision)
    goals.append(nil)
    return true
  }

  mutating func join(goal: EventRecord) -> Bool {
    guard belongs(goal), sharedGoal == nil else { return false }
    if hasSlots, !goal[.slot].isPresent {
      guard goals.allSatisfy({ $0 == nil }) else { return false }
      sharedGoal = goal
      return true
    }
    guard let index = decisions.firstIndex(where: { $0.hasSame(.slot, as: goal) }),
      goals[index] == nil
    else { return false }
    goals[index] = goal
    return true
  }
}

extension EventRecord {
  /// Whether a field has the same text in another event, or both have none.
  fileprivate func hasSame(_ field: TextField, as other: EventRecord) -> Bool {
    self[field].count == other[field].count
      && bytes[self[field].range].elementsEqual(other.bytes[other[field].range])
  }

  /// The name of a choice as a whole number from 1, as written by importers; nil for any other name.
  func number(of choice: Slice) -> Int? {
    guard let number = DigitText.canonicalIndex(bytes.span.extracting(choice.range)), number > 0
    else { return nil }
    return number
  }

  /// The index of the first feature of each choice that has any, by the choice's name.
  var featureRanges: [ArraySlice<UInt8>: Range<Int>] {
    var ranges: [ArraySlice<UInt8>: Range<Int>] = [:]
    var start = 0
    for group in featureGroups {
      ranges[bytes[group.variant.range]] = start..<start + group.count
      start += group.count
    }
    return ranges
  }

  /// Whether the variant is one of the choices, which are all distinct.
  fileprivate var hasVariantAmongChoices: Bool {
    let names = Set(choices.map { bytes[$0.range] })
    return names.count == choices.count && names.contains(bytes[self[.variant].range])
  }

  /// The choices; if they are not known, the chosen variant.
  var knownChoices: [Slice] { hasChoices && !choices.isEmpty ? choices : [self[.variant]] }
}

/// The actions of a group as formats number them.
struct ActionNumbering {
  /// An action: its name, and the decision that has its features.
  struct Action {
    var name: ArraySlice<UInt8>
    /// The decision whose choice it is; nil for a number that is not a choice.
    var decision: Int?
    /// The slot of a slate.
    var slot: Int?
  }

  /// The actions in order.
  private(set) var actions: [Action] = []
  /// Whether the names are the numbers of the actions.
  let areNumbers: Bool
  /// Whether the actions are listed; otherwise they are only numbered.
  let isListed: Bool
  /// For each decision the index among the actions, in the slot if it is a slate, of a name.
  private(set) var places: [[ArraySlice<UInt8>: Int]] = []

  /// Numbers the actions of a group, which may be numbered without being listed unless the format needs a list.
  init(_ group: DecisionGroup, mayOmitList: Bool = true) {
    let isSlate = group.isSlate
    let numbers = group.decisions.map { decision in
      decision.knownChoices.map { decision.number(of: $0) }
    }
    // In one list for all slots, a number may be missing where no slot has that choice.
    let areInOrder = numbers.allSatisfy { $0 == Array(1...max(1, $0.count)) }
    let highest = numbers.joined().reduce(0) { max($0, $1 ?? 0) }
    let total = numbers.reduce(0) { $0 + $1.count }
    let areSparse = numbers.joined().allSatisfy { $0 != nil } && highest <= 16 * total + 64
    // Without features, a single decision needs no list of its actions.
    isListed =
      !mayOmitList || group.hasSlots || areInOrder || !areSparse
      || group.decisions.contains { !$0.features.isEmpty }
    areNumbers = group.hasSlots && !isSlate ? areSparse : areInOrder || !isListed
    guard isListed else { return }
    if areNumbers, group.hasSlots, !isSlate {
      actions = (0..<highest).map { Action(name: ArraySlice("\($0 + 1)".utf8)) }
    }
    var known: [ArraySlice<UInt8>: Int] = [:]
    for (index, action) in actions.enumerated() { known[action.name] = index }
    for (index, decision) in group.decisions.enumerated() {
      if isSlate { known = [:] }
      for choice in decision.knownChoices {
        let name = decision.bytes[choice.range]
        if let place = known[name] {
          if actions[place].decision == nil { actions[place].decision = index }
        } else {
          known[name] = isSlate ? known.count : actions.count
          actions.append(Action(name: name, decision: index, slot: isSlate ? index : nil))
        }
      }
      places.append(known)
    }
  }

  /// Returns the index of a decision's choice.
  func index(of name: ArraySlice<UInt8>, in decision: Int) -> Int {
    guard isListed else { return (DigitText.canonicalIndex(name.span) ?? 1) - 1 }
    return places[decision][name] ?? 0
  }
}
