import Events
internal import Specifications

extension VowpalWabbitText: ExportFormat {
  /// Returns an exporter that writes a block of lines for each decision or, for decisions of several slots of one unit
  /// at one time, one block with `ccb` lines. A block begins with a `shared` line and ends with a blank line.
  ///
  /// A reward directly after its decision, at the same time, becomes its cost, which is 0 without one. Variants that
  /// are not the numbers of the choices are written as tags of the action lines, as is a text `_tag`. A text becomes
  /// the feature `name=text`, a truth value `name=true` or `name=false`; spaces, colons and bars in them become
  /// underscores.
  ///
  /// The format has no place for: times, units, the names of the experiment, of goals and of slots, points, policies,
  /// reasons, metadata, the probabilities of choices that were not chosen, except for slots, and the attributes
  /// `pdrop`, `_skipLearn` and `_ba`, which are not features. Events of any further experiment, later rewards,
  /// confirmations, conversions, data points, other life-cycle events, repeated, excluded and slate decisions,
  /// decisions without a propensity and refused goals are counted and not written.
  public static func makeExporter() -> any EventExporter { VowpalWabbitExporter() }
}

/// Writes a log as Vowpal Wabbit text.
struct VowpalWabbitExporter: JoiningExporter {
  var join = DecisionJoin()

  mutating func writeSeparate(_ record: EventRecord, to bytes: inout [UInt8]) {
    join.omit(record.kind == .goal ? "later rewards" : "confirmations")
  }

  mutating func write(_ group: DecisionGroup, to bytes: inout [UInt8]) {
    guard !group.decisions.isEmpty else { return }
    guard !group.isSlate else { return join.omit("slate decisions", group.decisions.count) }
    guard group.decisions.allSatisfy({ $0.propensity != nil }) else {
      return join.omit("decisions without a propensity", group.decisions.count)
    }
    let writer = VowpalWabbitWriter(group)
    if group.hasSlots {
      writer.writeSlots(to: &bytes)
    } else {
      writer.writeSingle(to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

/// Writes the decisions of one group.
private struct VowpalWabbitWriter {
  private let group: DecisionGroup
  private let numbering: ActionNumbering
  private let shared: SharedContext
  private let ranges: [[ArraySlice<UInt8>: Range<Int>]]

  init(_ group: DecisionGroup) {
    self.group = group
    numbering = ActionNumbering(group, mayOmitList: false)
    shared = SharedContext(group)
    ranges = group.decisions.map(\.featureRanges)
  }

  func writeSingle(to bytes: inout [UInt8]) {
    write("shared ", to: &bytes)
    writeFeatures(shared.all, of: group.decisions[0], to: &bytes)
    let decision = group.decisions[0]
    let chosen = numbering.index(of: decision.bytes[decision[.variant].range], in: 0)
    for index in numbering.actions.indices {
      if index == chosen {
        writeLabel(0, index + 1, to: &bytes)
        bytes.append(UInt8(ascii: " "))
      }
      writeAction(numbering.actions[index], to: &bytes)
    }
  }

  func writeSlots(to bytes: inout [UInt8]) {
    write("ccb shared ", to: &bytes)
    writeFeatures(shared.all, of: group.decisions[0], to: &bytes)
    for action in numbering.actions {
      write("ccb action ", to: &bytes)
      writeAction(action, to: &bytes)
    }
    for (index, decision) in group.decisions.enumerated() {
      write("ccb slot ", to: &bytes)
      let places = decision.ranking.map {
        numbering.index(of: decision.bytes[$0.range], in: index)
      }
      writeLabel(index, places[0], to: &bytes)
      let chosen = decision.bytes[decision[.variant].range]
      if decision.hasProbabilities, decision.hasChoices {
        for (choice, chance) in zip(decision.choices, decision.probabilities)
        where !decision.bytes[choice.range].elementsEqual(chosen) {
          let place = numbering.index(of: decision.bytes[choice.range], in: index)
          write(",\(place):", to: &bytes)
          NumberText.append(chance, to: &bytes)
        }
      }
      write(" " + places.map { String($0) }.joined(separator: ",") + " ", to: &bytes)
      writeFeatures(shared.slots[index] + shared.own[index], of: decision, to: &bytes)
    }
  }

  private func writeLabel(_ index: Int, _ number: Int, to bytes: inout [UInt8]) {
    let goal = group.goals[index]
    write("\(number):", to: &bytes)
    NumberText.append(goal.map { 0 - ($0.value ?? 1) } ?? 0, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    NumberText.append(group.decisions[index].propensity ?? 1, to: &bytes)
  }

  private func writeAction(_ action: ActionNumbering.Action, to bytes: inout [UInt8]) {
    if !numbering.areNumbers { writeTag(action.name, to: &bytes) }
    guard let index = action.decision, let range = ranges[index][action.name] else {
      return write("|\n", to: &bytes)
    }
    let decision = group.decisions[index]
    writeFeatures(
      Array(decision.features[range]), of: decision, hasTag: !numbering.areNumbers, to: &bytes)
  }

  /// Whether an attribute is the tag of its line.
  private func isTag(_ attribute: EventRecord.Attribute, _ record: EventRecord) -> Bool {
    guard case .text(let tag) = attribute.value, tag.count > 0 else { return false }
    return record.bytes[attribute.name.range].elementsEqual("_tag".utf8)
  }

  private func writeTag(_ name: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "'"))
    writeName(name, to: &bytes)
    bytes.append(UInt8(ascii: " "))
  }

  /// Appends attributes by namespace, and the line end; before them the tag, unless the line has one.
  private func writeFeatures(
    _ attributes: [EventRecord.Attribute], of record: EventRecord, hasTag: Bool = false,
    to bytes: inout [UInt8]
  ) {
    var attributes = attributes
    if !hasTag, let place = attributes.firstIndex(where: { isTag($0, record) }),
      case .text(let tag) = attributes.remove(at: place).value
    {
      writeTag(record.bytes[tag.range], to: &bytes)
    }
    bytes.append(UInt8(ascii: "|"))
    var namespace: ArraySlice<UInt8> = []
    for attribute in attributes {
      var name = record.bytes[attribute.name.range]
      var own: ArraySlice<UInt8> = []
      if let dot = name.firstIndex(of: UInt8(ascii: ".")) {
        own = name[..<dot]
        name = name[(dot + 1)...]
      }
      if own != namespace {
        write(bytes.last == UInt8(ascii: "|") ? "" : " |", to: &bytes)
        writeName(own, to: &bytes)
        namespace = own
      }
      bytes.append(UInt8(ascii: " "))
      writeName(name.isEmpty ? [UInt8(ascii: "_")] : name, to: &bytes)
      switch attribute.value {
      case .number(1): break
      case .number(let number):
        bytes.append(UInt8(ascii: ":"))
        NumberText.append(number, to: &bytes)
      case .integer(let integer): write(":\(integer)", to: &bytes)
      case .flag(let flag): write("=\(flag)", to: &bytes)
      case .text(let text):
        bytes.append(UInt8(ascii: "="))
        writeName(record.bytes[text.range], to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends a name, with underscores for what separates names.
  private func writeName(_ name: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    for byte in name {
      let isSeparator = byte <= 0x20 || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "|")
      bytes.append(isSeparator ? UInt8(ascii: "_") : byte)
    }
  }

  private func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: text.utf8)
  }
}
