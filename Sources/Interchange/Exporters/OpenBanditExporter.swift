import Events
internal import Specifications

extension OpenBandit: ColumnExportFormat {
  /// Returns an exporter that writes a row for each decision that can be an impression: its variant is a whole number,
  /// and so is its slot, which is the position; it has a propensity, and its choices are `0`, `1`, ... up to `K-1` with
  /// the same `K` in the whole log, or unknown in the whole log.
  ///
  /// `click` is 1 if a goal `click` of value 1, or without a value, is joined with the decision: it follows at the same
  /// time, of the same unit. The attributes of the context are columns, and come back as texts. With choices, there is
  /// a column `user-item_affinity_<k>` for each of them. The row number is the one at the end of the unit, as imports
  /// of this format number units; if the first unit is not numbered in that way, rows are numbered from 0.
  ///
  /// The format has no place for: the name of the experiment, which an import takes from the name of the file; ids,
  /// points, policies, reasons, the slots and the metadata of goals. Names of units that are not numbers, the
  /// probabilities of other choices, other features, attributes named like a column, decisions that do not fit, other
  /// goals and all other events are counted and not written. A log with decisions of which none fits is refused.
  public static func makeExporter(_ names: AttributeNames) -> any EventExporter {
    OpenBanditExporter(names)
  }
}

/// Writes a log as an Open Bandit file.
struct OpenBanditExporter: JoiningExporter {
  var join = DecisionJoin()
  private var rows: OpenBanditRows
  private var written = 0

  init(_ names: AttributeNames) { rows = OpenBanditRows(names) }

  var refusal: String? {
    guard written == 0 else { return nil }
    let found = join.omitted.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    return "no decision fits a row of \(OpenBandit.info.name)"
      + (found.isEmpty ? "; the log has none" : ": the log has \(found.joined(separator: ", "))")
      + "; a row needs a whole number as variant and as slot, a propensity, and choices 0, 1, ..."
  }

  mutating func writeSeparate(_ record: EventRecord, to bytes: inout [UInt8]) {
    join.omit(record.kind == .goal ? "later goals" : "confirmations")
  }

  mutating func write(_ group: DecisionGroup, to bytes: inout [UInt8]) {
    guard !group.decisions.isEmpty else { return }
    if group.decisions.count > 1, group.sharedGoal != nil {
      join.omit("decisions of several slots with one goal", group.decisions.count)
      return join.omit("goals of several slots")
    }
    for (index, decision) in group.decisions.enumerated() {
      let goal = group.sharedGoal ?? group.goals[index]
      if let reason = rows.omission(of: decision) {
        join.omit(reason)
        if goal != nil { join.omit("goals of such decisions") }
        continue
      }
      let isClicked = goal.map(Self.isClick) ?? false
      if goal != nil, !isClicked { join.omit("goals other than click with the value 1") }
      if written == 0 { rows.appendHeader(to: &bytes) }
      for loss in rows.append(decision, number: written, isClicked: isClicked, to: &bytes) {
        join.omit(loss)
      }
      written += 1
    }
  }

  private static func isClick(_ goal: EventRecord) -> Bool {
    goal.bytes[goal[.goal].range].elementsEqual("click".utf8) && (goal.value ?? 1) == 1
  }
}

/// The rows of an Open Bandit file.
private struct OpenBanditRows {
  private static let columns = [
    "", "timestamp", "item_id", "position", "click", "propensity_score",
  ]
  private static let affinity = Array("user-item_affinity".utf8)

  private let contextNames: [[UInt8]]
  private let choiceCount: Int
  /// The prefix of the units of all rows, before their number; nil before the first row.
  private var unitPrefix: [UInt8]?
  /// Whether units end in a number that is that of the row.
  private var areNumbered = false

  init(_ names: AttributeNames) {
    contextNames = names.context.map { Array($0.utf8) }.filter { Self.canBeColumn($0[...]) }
    choiceCount = names.choiceCount ?? 0
  }

  /// Whether an attribute can have a column of its name.
  private static func canBeColumn(_ name: ArraySlice<UInt8>) -> Bool {
    !columns.contains { name.elementsEqual($0.utf8) }
      && !name.starts(with: OpenBanditColumns.affinityPrefix.utf8)
  }

  func appendHeader(to bytes: inout [UInt8]) {
    for (index, name) in Self.columns.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: name.utf8)
    }
    for name in contextNames {
      bytes.append(UInt8(ascii: ","))
      CSVText.append(name, to: &bytes)
    }
    for choice in 0..<choiceCount {
      bytes.append(contentsOf: ",\(OpenBanditColumns.affinityPrefix)\(choice)".utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns why a decision cannot be a row; nil if it can.
  mutating func omission(of decision: EventRecord) -> String? {
    if decision.status == .provisional { return "provisional decisions" }
    guard decision.propensity != nil else { return "decisions without a propensity" }
    let slot = decision.bytes[decision[.slot].range]
    guard DigitText.isWhole(slot.span) else {
      return "decisions without a whole number as slot"
    }
    let variant = decision.bytes[decision[.variant].range]
    guard DigitText.canonicalIndex(variant.span) != nil else {
      return "decisions without a whole number as variant"
    }
    guard hasChoices(decision) else { return "decisions with other choices than 0, 1, ..." }
    let (prefix, number) = Self.split(decision)
    guard let unitPrefix else {
      areNumbered = !number.isEmpty
      unitPrefix = Array(prefix)
      return nil
    }
    let fits = !areNumbered || (!number.isEmpty && prefix.elementsEqual(unitPrefix))
    return fits ? nil : "decisions of units that are not numbered like the first one"
  }

  /// Whether the choices of a decision are those of all rows.
  private func hasChoices(_ decision: EventRecord) -> Bool {
    guard choiceCount > 0 else { return decision.choices.isEmpty }
    guard decision.choices.count == choiceCount else { return false }
    return decision.choices.enumerated().allSatisfy { index, choice in
      DigitText.canonicalIndex(decision.bytes.span.extracting(choice.range)) == index
    }
  }

  /// Splits a unit in the experiment's name, or one that begins with it, and the number after a hyphen, which is empty
  /// if the unit is not numbered.
  private static func split(
    _ decision: EventRecord
  ) -> (prefix: ArraySlice<UInt8>, number: ArraySlice<UInt8>) {
    let unit = decision.bytes[decision[.unit].range]
    let experiment = decision.bytes[decision[.experiment].range]
    guard let hyphen = unit.lastIndex(of: UInt8(ascii: "-")),
      unit[..<hyphen].starts(with: experiment)
    else { return (unit, []) }
    let number = unit[(hyphen + 1)...]
    return DigitText.isWhole(number.span) ? (unit[..<hyphen], number) : (unit, [])
  }

  /// Appends a row and returns what it does not show.
  func append(
    _ decision: EventRecord, number: Int, isClicked: Bool, to bytes: inout [UInt8]
  ) -> [String] {
    var losses: [String] = []
    if areNumbered {
      bytes.append(contentsOf: Self.split(decision).number)
    } else {
      bytes.append(contentsOf: "\(number)".utf8)
      losses.append("names of units")
    }
    bytes.append(UInt8(ascii: ","))
    appendTime(decision.time, to: &bytes)
    for field in [EventRecord.TextField.variant, .slot] {
      bytes.append(UInt8(ascii: ","))
      bytes.append(contentsOf: decision.bytes[decision[field].range])
    }
    bytes.append(contentsOf: (isClicked ? ",1," : ",0,").utf8)
    NumberText.append(decision.propensity ?? 1, to: &bytes)
    appendContext(decision, to: &bytes)
    let isComplete = appendAffinities(decision, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    if decision.context.contains(where: { !Self.canBeColumn(decision.bytes[$0.name.range]) }) {
      losses.append("attributes named like a column")
    }
    if !isComplete { losses.append("features other than user-item_affinity") }
    if decision.hasProbabilities { losses.append("probabilities of all choices") }
    return losses
  }

  /// Appends a time as the published files have it, always with six digits: `2019-11-24 00:03:13.442536+00:00`.
  private func appendTime(_ time: Timestamp, to bytes: inout [UInt8]) {
    let start = bytes.count
    time.write(to: &bytes)
    if let place = bytes[start...].firstIndex(of: UInt8(ascii: "T")) { bytes[place] = 0x20 }
    if bytes.last == UInt8(ascii: "Z") {
      bytes.removeLast()
      if !bytes[start...].contains(UInt8(ascii: ".")) { bytes.append(contentsOf: ".000000".utf8) }
      bytes.append(contentsOf: "+00:00".utf8)
    }
  }

  private func appendContext(_ decision: EventRecord, to bytes: inout [UInt8]) {
    var values: [ArraySlice<UInt8>: EventRecord.Value] = [:]
    for attribute in decision.context {
      values[decision.bytes[attribute.name.range]] = attribute.value
    }
    for name in contextNames {
      bytes.append(UInt8(ascii: ","))
      switch values[name[...]] {
      case nil: break
      case .text(let slice): CSVText.append(decision.bytes[slice.range], to: &bytes)
      case let value?: JSONBytes.append(value, decision, to: &bytes)
      }
    }
  }

  /// Appends the affinity to each choice, and returns whether there are no further features.
  private func appendAffinities(_ decision: EventRecord, to bytes: inout [UInt8]) -> Bool {
    var affinities: [Int: Double] = [:]
    var isComplete = true
    var start = 0
    for group in decision.featureGroups {
      let choice = DigitText.canonicalIndex(decision.bytes.span.extracting(group.variant.range))
      for feature in decision.features[start..<start + group.count] {
        guard case .number(let number) = feature.value, let choice, choice < choiceCount,
          decision.bytes[feature.name.range].elementsEqual(Self.affinity)
        else {
          isComplete = false
          continue
        }
        affinities[choice] = number
      }
      start += group.count
    }
    for choice in 0..<choiceCount {
      bytes.append(UInt8(ascii: ","))
      if let affinity = affinities[choice], affinity != 0 {
        let start = bytes.count
        NumberText.append(affinity, to: &bytes)
        let isWhole = bytes[start...].allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 }
        if isWhole { bytes.append(contentsOf: ".0".utf8) }
      } else {
        bytes.append(contentsOf: "0.0".utf8)
      }
    }
    return isComplete
  }
}
