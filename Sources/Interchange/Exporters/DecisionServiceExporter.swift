import Events
internal import Specifications

extension DecisionServiceJSON: ExportFormat {
  /// Returns an exporter that writes a line for each decision or, for decisions of several slots of one unit at one
  /// time, one line with `_outcomes`.
  ///
  /// A reward directly after its decision, at the same time, becomes its `_label_cost`, which is 0 without one; later
  /// rewards and confirmations follow as lines of their own with `RewardValue` or `DeferredAction`. Variants that are
  /// not the numbers of the choices are written as `_tag`; import them with `actions=tag`.
  ///
  /// The format has no place for: the name of the experiment and the names of goals; points, and names of slots other
  /// than `1`, `2`, ...; the reason of a decision; the slot of a later reward; the metadata of goals, other than what
  /// an import of this format keeps. Events of any further experiment, conversions, data points, life-cycle events
  /// other than confirmations of a unit, repeated and excluded decisions and refused goals are counted and not written.
  public static func makeExporter() -> any EventExporter { DecisionServiceExporter() }
}

/// Writes a log as Decision Service JSON.
struct DecisionServiceExporter: JoiningExporter {
  var join = DecisionJoin()

  func writeSeparate(_ record: EventRecord, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    if record.kind == .goal {
      JSONBytes.append(key: "RewardValue", record.value ?? 1, to: &bytes)
    } else {
      JSONBytes.append(key: "RewardValue".utf8, to: &bytes)
      bytes.append(contentsOf: "null".utf8)
    }
    if record.metadata(named: "time").map({ !record.isText($0, "assumed") }) ?? true {
      writeTime("EnqueuedTimeUtc", record.time, to: &bytes)
    }
    JSONBytes.append(key: "EventId", record.bytes[record[.unit].range], to: &bytes)
    if record.kind == .decisionConfirmed {
      JSONBytes.append(key: "DeferredAction".utf8, to: &bytes)
      bytes.append(contentsOf: "false".utf8)
    } else {
      writeJSON("Observations", record.metadata(named: "Observations"), record, to: &bytes)
    }
    bytes.append(contentsOf: "}\n".utf8)
  }

  private func writeTime(_ key: String, _ time: Timestamp, to bytes: inout [UInt8]) {
    JSONBytes.append(key: key.utf8, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    time.write(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a member whose value is kept as JSON text.
  private func writeJSON(
    _ key: String, _ value: EventRecord.Value?, _ record: EventRecord, to bytes: inout [UInt8]
  ) {
    guard let value else { return }
    JSONBytes.append(key: key.utf8, to: &bytes)
    guard case .text(let slice) = value, slice.count > 0,
      record.bytes[Int(slice.start)] == UInt8(ascii: "[")
    else { return JSONBytes.append(value, record, to: &bytes) }
    var (copy, nodes) = ([UInt8](), [JSONNode]())
    do throws(JSONLineError) {
      try JSONNodes.parse(record.bytes.span.extracting(slice.range), into: &copy, &nodes)
      bytes.append(contentsOf: record.bytes[slice.range])
    } catch {
      JSONBytes.append(text: record.bytes[slice.range], to: &bytes)
    }
  }
}

// Decisions.
extension DecisionServiceExporter {
  func write(_ group: DecisionGroup, to bytes: inout [UInt8]) {
    guard let first = group.decisions.first else { return }
    let numbering = ActionNumbering(group)
    bytes.append(UInt8(ascii: "{"))
    if group.hasSlots {
      if let goal = group.sharedGoal { writeCost(of: goal, "o", to: &bytes) }
    } else {
      writeLabel(group, numbering, to: &bytes)
    }
    if first.string(.reason) != "assumed time" { writeTime("Timestamp", first.time, to: &bytes) }
    JSONBytes.append(key: "Version", "1".utf8, to: &bytes)
    JSONBytes.append(key: "EventId", first.bytes[first[.unit].range], to: &bytes)
    if first.status == .provisional {
      JSONBytes.append(key: "_deferred".utf8, to: &bytes)
      bytes.append(contentsOf: "true".utf8)
    }
    let shared = SharedContext(group)
    if !group.hasSlots { writeRanking(0, group, numbering, "a", 1, to: &bytes) }
    writeContext(group, numbering, shared, to: &bytes)
    if !group.hasSlots {
      writeChances(0, group, numbering, "p", to: &bytes)
    } else {
      JSONBytes.append(key: "_outcomes".utf8, to: &bytes)
      JSONBytes.append(list: group.decisions.indices, to: &bytes) { index, bytes in
        writeOutcome(index, group, numbering, shared, to: &bytes)
      }
    }
    if first[.policy].isPresent {
      JSONBytes.append(key: "VWState".utf8, to: &bytes)
      bytes.append(UInt8(ascii: "{"))
      JSONBytes.append(key: "m", first.bytes[first[.policy].range], to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
    for attribute in shared.root {
      let name = first.string(attribute.name) ?? ""
      writeJSON(name, attribute.value, first, to: &bytes)
    }
    bytes.append(contentsOf: "}\n".utf8)
  }

  private func writeLabel(
    _ group: DecisionGroup, _ numbering: ActionNumbering, to bytes: inout [UInt8]
  ) {
    let decision = group.decisions[0]
    if let goal = group.goals[0] {
      writeCost(of: goal, "o", to: &bytes)
    } else {
      JSONBytes.append(key: "_label_cost", 0, to: &bytes)
    }
    if let propensity = decision.propensity {
      JSONBytes.append(key: "_label_probability", propensity, to: &bytes)
    }
    let chosen = numbering.index(of: decision.bytes[decision[.variant].range], in: 0)
    JSONBytes.append(key: "_label_Action", Double(chosen + 1), to: &bytes)
    JSONBytes.append(key: "_labelIndex", Double(chosen), to: &bytes)
  }

  private func writeCost(of goal: EventRecord, _ key: String, to bytes: inout [UInt8]) {
    JSONBytes.append(key: "_label_cost", 0 - (goal.value ?? 1), to: &bytes)
    if case .number(let number)? = goal.metadata(named: "_original_label_cost") {
      JSONBytes.append(key: "_original_label_cost", number, to: &bytes)
    }
    writeJSON(key, goal.metadata(named: "o"), goal, to: &bytes)
  }

  /// Appends the actions of a decision, the chosen one first.
  private func writeRanking(
    _ index: Int, _ group: DecisionGroup, _ numbering: ActionNumbering, _ key: String, _ base: Int,
    to bytes: inout [UInt8]
  ) {
    let decision = group.decisions[index]
    JSONBytes.append(key: key.utf8, to: &bytes)
    JSONBytes.append(list: decision.ranking, to: &bytes) { choice, bytes in
      let place = numbering.index(of: decision.bytes[choice.range], in: index)
      NumberText.append(Int64(place + base), to: &bytes)
    }
  }

  /// Appends the probabilities of a decision, that of the chosen action first.
  private func writeChances(
    _ index: Int, _ group: DecisionGroup, _ numbering: ActionNumbering, _ key: String,
    to bytes: inout [UInt8]
  ) {
    let decision = group.decisions[index]
    guard decision.hasProbabilities, decision.hasChoices else { return }
    JSONBytes.append(key: key.utf8, to: &bytes)
    let chances = zip(decision.choices, decision.probabilities)
    let chosen = decision.bytes[decision[.variant].range]
    let isChosen = { (choice: EventRecord.Slice) in
      decision.bytes[choice.range].elementsEqual(chosen)
    }
    let ordered = chances.filter { isChosen($0.0) } + chances.filter { !isChosen($0.0) }
    JSONBytes.append(list: ordered, to: &bytes) { chance, bytes in
      NumberText.append(chance.1, to: &bytes)
    }
  }

  private func writeOutcome(
    _ index: Int, _ group: DecisionGroup, _ numbering: ActionNumbering, _ shared: SharedContext,
    to bytes: inout [UInt8]
  ) {
    let decision = group.decisions[index]
    bytes.append(UInt8(ascii: "{"))
    if let goal = group.goals[index] {
      writeCost(of: goal, "_o", to: &bytes)
    } else if group.sharedGoal == nil, !group.isSlate {
      JSONBytes.append(key: "_label_cost", 0, to: &bytes)
    }
    if !decision.hasProbabilities, let propensity = decision.propensity {
      let chosen = numbering.index(of: decision.bytes[decision[.variant].range], in: index)
      JSONBytes.append(key: "_a", Double(chosen), to: &bytes)
      JSONBytes.append(key: "_p", propensity, to: &bytes)
    } else {
      writeRanking(index, group, numbering, "_a", 0, to: &bytes)
      writeChances(index, group, numbering, "_p", to: &bytes)
    }
    JSONBytes.append(members: shared.own[index], of: decision, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  private func writeContext(
    _ group: DecisionGroup, _ numbering: ActionNumbering, _ shared: SharedContext,
    to bytes: inout [UInt8]
  ) {
    JSONBytes.append(key: "c".utf8, to: &bytes)
    bytes.append(UInt8(ascii: "{"))
    if numbering.isListed { writeActions(group, numbering, to: &bytes) }
    if group.hasSlots {
      JSONBytes.append(key: "_slots".utf8, to: &bytes)
      JSONBytes.append(list: group.decisions.indices, to: &bytes) { index, bytes in
        let decision = group.decisions[index]
        bytes.append(UInt8(ascii: "{"))
        if !group.isSlate {
          JSONBytes.append(key: "_inc".utf8, to: &bytes)
          JSONBytes.append(list: decision.knownChoices, to: &bytes) { choice, bytes in
            let place = numbering.index(of: decision.bytes[choice.range], in: index)
            NumberText.append(Int64(place), to: &bytes)
          }
        }
        JSONBytes.append(members: shared.slots[index], of: decision, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
      }
    }
    JSONBytes.append(members: shared.all, of: group.decisions[0], to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  private func writeActions(
    _ group: DecisionGroup, _ numbering: ActionNumbering, to bytes: inout [UInt8]
  ) {
    JSONBytes.append(key: "_multi".utf8, to: &bytes)
    let ranges = group.decisions.map(\.featureRanges)
    JSONBytes.append(list: numbering.actions, to: &bytes) { action, bytes in
      bytes.append(UInt8(ascii: "{"))
      if let slot = action.slot { JSONBytes.append(key: "_slot_id", Double(slot), to: &bytes) }
      if !numbering.areNumbers { JSONBytes.append(key: "_tag", action.name, to: &bytes) }
      if let index = action.decision, let range = ranges[index][action.name] {
        let decision = group.decisions[index]
        let features = decision.features[range].filter { feature in
          numbering.areNumbers || decision.string(feature.name) != "_tag"
        }
        JSONBytes.append(members: features, of: decision, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
