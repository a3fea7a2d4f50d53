/// The entries of a mapping that is proposed for some columns: what was known at an assignment makes a decision, and
/// what came of it events of their own.
struct SuggestedEvents {
  typealias Column = SampledColumn
  typealias Candidate = (column: Column, words: ColumnWords)

  private(set) var lines: [MappingSuggestion.Line] = []
  /// The columns that are no part of any event.
  private(set) var leftOut: [MappingSuggestion.LeftOut] = []
  var rest: [Candidate] = []
  private var attributes: [String: Set<String>] = [:]
  /// The number of the last event, and of the one that keeps details of a purchase.
  private(set) var last = 1
  var purchase: Int?
  /// The times of what came of an assignment, and those of them that an event has.
  var times: [Candidate] = []
  var timed: Set<String> = []
  /// The column that says where a decision was made.
  var slot: Column?
  /// The number of goals, which reports add up.
  var goalCount = 0
  /// Where other records than assignments stand between them, the column with their name.
  private var stream: Column?

  init(_ columns: [Column]) {
    var seen: Set<String> = []
    rest = columns.filter { !$0.name.isEmpty && seen.insert($0.name).inserted }
      .map { (column: $0, words: ColumnWords($0.name)) }
    for candidate in rest where candidate.words.isTechnical {
      leaveOut(candidate.column, Self.technical)
    }
    for candidate in rest where Self.isReserved(candidate) {
      leaveOut(candidate.column, "a name with a meaning of its own in mappings")
    }
    rest.removeAll { $0.words.isTechnical || Self.isReserved($0) }
    // First, because it decides what the others are.
    let variant = takeVariant()
    if let variant { stream = takeName(besides: variant) }
    add("time", takeTime(isAssignment: variant != nil))
    addUnit()
    let id = variant == nil ? take(Self.eventIDs + Self.orderIDs) : take(Self.eventIDs)
    add("id", variant == nil ? id ?? takeID() : id)
    add("experiment", take(Self.experiments))
    if let variant {
      slot = take(["slot", "position", "placement"])
      add("slot", slot)
      add("variant", variant)
      add("propensity", take(Self.propensities))
      add("policy", take(["policy", "policyname", "modelversion"]))
      if let stream { addStream(stream, unless: variant, id) } else { addOutcomes() }
    } else {
      addGoal()
    }
    addRest(of: variant)
    for column in columns { noteRefunds(in: column) }
  }

  /// Whether a mapping takes the name of a column for something else.
  private static func isReserved(_ candidate: Candidate) -> Bool {
    candidate.column.name == "*" || EventMapping.Source.column(candidate.column.name).variesByColumn
  }

  static let technical = "a column of a warehouse or of the program that loaded the table"

  /// Adds the columns that are left as attributes: to the decisions, or else to what else is in a record.
  private mutating func addRest(of variant: Column?) {
    let list = variant == nil ? "metadata" : "context"
    let assignments = Set(variant?.records ?? [])
    for candidate in rest {
      if stream != nil, let purchase, !assignments.isSuperset(of: candidate.column.records) {
        add(attribute: candidate.column, to: "\(purchase).metadata")
        if assignments.isDisjoint(with: candidate.column.records) { continue }
      }
      if list == "context", candidate.words.isMarked {
        leaveOut(candidate.column, Self.technical)
      } else if list == "context", candidate.words.isLater {
        leaveOut(
          candidate.column,
          candidate.words.isTime
            ? "a time that may be after the assignment" : "what is known only after the assignment")
      } else {
        add(attribute: candidate.column, to: list)
      }
    }
    rest = []
  }

  // MARK: Taking columns

  /// Takes the first of some names that a column has, as a whole before the last part of its path.
  mutating func take(_ names: [String]) -> Column? {
    var places: [String: (place: Int, isWhole: Bool)] = [:]
    let wanted = Set(names)
    for (place, candidate) in rest.enumerated() {
      let whole = ColumnWords.plain(candidate.column.name)
      let name = wanted.contains(whole) ? whole : candidate.words.last
      guard wanted.contains(name) else { continue }
      let isWhole = name == whole
      if let known = places[name], known.isWhole || !isWhole { continue }
      places[name] = (place, isWhole)
    }
    let found = names.lazy.compactMap { places[$0]?.place }.first
    return found.map { rest.remove(at: $0).column }
  }

  mutating func take(where holds: (ColumnWords) -> Bool) -> Column? {
    takeFirst { holds($0.words) }
  }

  mutating func takeFirst(where holds: (Candidate) -> Bool) -> Column? {
    rest.firstIndex(where: holds).map { rest.remove(at: $0).column }
  }

  /// Takes the name of the records that are no assignments, if there are such: a column with content where the variant
  /// has none. One that is only called `name` has few different contents.
  private mutating func takeName(besides variant: Column) -> Column? {
    let assignments = Set(variant.records)
    guard !assignments.isEmpty else { return nil }
    let others = rest.filter { !assignments.isSuperset(of: $0.column.records) }
    let isName = { (candidate: Candidate) in
      Self.names.contains(candidate.column.name.lowercased())
        && candidate.column.texts.count < Column.mostTexts
    }
    let known = Self.goals.lazy.compactMap { name in others.first { $0.words.last == name } }.first
    guard let name = (known ?? others.first(where: isName))?.column.name else { return nil }
    return takeFirst { $0.column.name == name }
  }

  /// Takes the name of the records of a stream without assignments, which has the rest in an object of its own.
  private mutating func takeName() -> Column? {
    guard rest.contains(where: { $0.column.name.contains(".") }) else { return nil }
    return takeFirst {
      Self.names.contains($0.column.name.lowercased())
        && $0.column.texts.count <= max(1, $0.column.records.count / 2)
    }
  }

  /// Takes the variant. An action or an item is one unless the table is of purchases, which have items too.
  private mutating func takeVariant() -> Column? {
    if let variant = take(Self.variants) { return variant }
    let isOfPurchases = rest.contains {
      $0.words.isMoney || ($0.words.isOfPurchases && ($0.words.isID || $0.words.isTime))
    }
    return isOfPurchases ? nil : take(["action", "itemid"])
  }

  /// Takes the time of the assignment or, in a table without one, of what happened. That of an outcome, of the table's
  /// own life or of a first visit is never the time of the assignment.
  private mutating func takeTime(isAssignment: Bool) -> Column? {
    if isAssignment, stream == nil, let time = take(where: { $0.isBeginning }) { return time }
    let time =
      take(Self.times)
      ?? take(where: {
        $0.isTime && !$0.isOutcomeTime && $0.isPlainTime && !(isAssignment && $0.isEarlierTime)
      })
    guard !isAssignment else { return time ?? take(where: { $0.isBeginning }) }
    return time ?? take(where: { $0.isTime && $0.isPlainTime }) ?? take(where: {
      $0.isTime && !$0.isEarlier
    })
      ?? take(where: { $0.isTime })
  }

  /// Adds the unit and, where some of the first records have none, another column that they have one in.
  private mutating func addUnit() {
    guard let unit = take(Self.units) ?? takeUnitID() else { return }
    add("unit", unit)
    let without = Set(rest.flatMap(\.column.records)).subtracting(unit.records)
    let other = takeFirst { candidate in
      let (name, whole) = (candidate.column.name, ColumnWords.plain(candidate.column.name))
      return (Self.units.contains(whole) || Self.units.contains(candidate.words.last))
        && !without.isDisjoint(with: candidate.column.records) && !(unit.name + name).contains("|")
    }
    if let other { lines[lines.count - 1].add(other) }
  }

  /// Takes an id of a table that has no other column for the unit.
  private mutating func takeUnitID() -> Column? {
    take(where: { $0.isID && !$0.isOfPurchases && !$0.has(Self.otherIDs) }) ?? take(["id"])
  }

  /// Takes the id of a purchase.
  private mutating func takeID() -> Column? { take(where: { $0.isID && $0.isOfPurchases }) }

  /// Takes the amount that says most: a revenue before a total, and a total before its parts.
  mutating func takeMoney() -> Column? {
    for words: Set<String> in [
      ["revenue"], ["total"], ["amount", "sales", "gmv", "value", "spend"],
    ] {
      if let column = take(where: {
        $0.isMoney && !$0.isRefund && $0.has(words) && !$0.has(["subtotal", "tax"])
      }) {
        return column
      }
    }
    return take(where: { $0.isMoney && !$0.isRefund })
  }

  // MARK: A table without assignments

  private mutating func addGoal() {
    let goal = take(Self.goals) ?? takeName()
    let money = takeMoney()
    add("goal", goal)
    if goal == nil { addConstantGoal(hasMoney: money != nil) }
    add("revenue", money)
    if let money {
      add("negative", takeNegative())
      return addRefunds(of: money, goal)
    }
    guard lines.contains(where: { $0.field == "goal" }) else { return }
    if let value = take(["value", "eventvalue"]) {
      add("value", value)
    } else if let outcome = take(where: { $0.isOutcome && !$0.isPurchaseDetail }) {
      addOutcome(outcome, isName: goal == nil)
    }
    if goal == nil { addCounts() }
  }

  /// Adds what came of a row: its number, and where its column names the goal, that there is none where it is 0.
  private mutating func addOutcome(_ outcome: Column, isName: Bool) {
    let isKnown = !outcome.records.isEmpty
    guard outcome.isAmount else {
      return leaveOut(outcome, "a text that says what came of the row, and no number")
    }
    if outcome.isNumeric { add("value", outcome) }
    if isName, isKnown { add("when", outcome) }
  }

  /// Takes the column that says whether the row itself is a refund.
  mutating func takeNegative() -> Column? {
    take(["negative", "isnegative"]) ?? takeFirst(where: Self.isNegative)
  }

  static func isNegative(_ candidate: Candidate) -> Bool {
    let words = candidate.words
    return words.saysRefund && !words.isMoney && !words.saysRefunded && !candidate.column.hasAmounts
  }

  /// Notes that the texts of a column name refunds, which would count like all other rows.
  private mutating func noteRefunds(in column: Column) {
    guard column.texts.count < Column.mostTexts,
      let refund = column.texts.filter({ ColumnWords($0).isRefund }).min(),
      let place = lines.lastIndex(where: { $0.field.split(separator: ".").last == "revenue" })
    else { return }
    lines[place].note =
      "rows with \(refund) in \(column.name) count as revenue and as converters: leave them out, or map negative"
  }

  /// Names the goal of a table that has no column for it.
  private mutating func addConstantGoal(hasMoney: Bool) {
    let own = lines.filter(\.isColumn).map { ColumnWords($0.column) }
    let all = own + rest.map(\.words)
    if all.contains(where: { $0.has(["refund", "refunds"]) && $0.isID }) {
      add("goal", constant: "refund")
    } else if hasMoney || all.contains(where: { $0.isOfPurchases && ($0.isID || $0.isTime) }) {
      add("goal", constant: "order")
    } else if let outcome = rest.first(where: { $0.words.isOutcome && $0.column.isAmount }) {
      add("goal", constant: outcome.column.name)
    } else if let word = own.lazy.filter({ $0.isTime }).compactMap(\.outcome).first {
      add("goal", constant: word)
    }
  }

  // MARK: Adding lines

  mutating func leaveOut(_ column: Column, _ reason: String) {
    leftOut.append(.init(column: column.name, reason: reason))
  }

  /// Begins an event.
  ///
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - note: What is to be checked of it.
  mutating func begin(_ kind: String, _ note: String? = nil) {
    last += 1
    addOwn("type", constant: kind)
    lines[lines.count - 1].note = note
  }

  mutating func add(_ field: String, _ column: Column?) {
    if let column { lines.append(.init(field: field, column)) }
  }

  private mutating func add(_ field: String, constant: String) {
    lines.append(.init(field: field, source: .constant(constant), example: nil))
  }

  mutating func add(own field: String, _ column: Column) { add("\(last).\(field)", column) }

  /// Adds a condition that a column has any content.
  mutating func addOwn(_ field: String, anyOf column: Column) {
    let source = EventMapping.Source.column("\(column.name) == \(MappedCondition.any)")
    lines.append(.init(field: "\(last).\(field)", source: source, example: column.example))
  }

  mutating func addOwn(_ field: String, constant: String) {
    add("\(last).\(field)", constant: constant)
  }

  mutating func add(attribute column: Column, to list: String) {
    var name = String.UnicodeScalarView()
    for scalar in column.name.unicodeScalars {
      name.append("=:".unicodeScalars.contains(scalar) ? "_" : scalar)
    }
    while !attributes[list, default: []].insert(String(name)).inserted { name.append("_") }
    lines.append(.init(field: "\(list).\(String(name))", column))
  }
}
