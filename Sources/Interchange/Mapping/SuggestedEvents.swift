/// The entries of a mapping that is proposed for some columns: what was known at an assignment makes a decision, and
/// what came of it events of their own.
struct SuggestedEvents {
  typealias Column = (name: String, example: String?)
  private typealias Candidate = (column: Column, words: ColumnWords)

  private(set) var lines: [MappingSuggestion.Line] = []
  /// The columns that are no part of any event.
  private(set) var leftOut: [MappingSuggestion.LeftOut] = []
  private var rest: [Candidate] = []
  private var names: [String: Set<String>] = [:]
  /// The number of the last event, and of the one that keeps details of a purchase.
  private var last = 1
  private var purchase: Int?
  /// The times of what came of an assignment that no event has yet.
  private var times: [Candidate] = []

  init(_ columns: [Column]) {
    var seen: Set<String> = []
    rest = columns.filter { !$0.name.isEmpty && seen.insert($0.name).inserted }
      .map { (column: $0, words: ColumnWords($0.name)) }
    // First, because it decides what the others are.
    let variant = takeVariant()
    add("time", takeTime(isAssignment: variant != nil))
    add("unit", take(Self.units) ?? takeUnitID())
    let id = variant == nil ? take(Self.eventIDs + Self.orderIDs) : take(Self.eventIDs)
    add("id", variant == nil ? id ?? takeID() : id)
    add("experiment", take(Self.experiments))
    if variant == nil {
      addGoal()
    } else {
      add("slot", take(["slot", "position", "placement"]))
      add("variant", variant)
      add("propensity", take(Self.propensities))
      add("policy", take(["policy", "policyname", "modelversion"]))
      addOutcomes()
    }
    addRest(to: variant == nil ? "metadata" : "context")
  }

  /// Adds the columns that are left as attributes.
  private mutating func addRest(to list: String) {
    for candidate in rest {
      if list == "context", candidate.words.isLater {
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
  private mutating func take(_ names: [String]) -> Column? {
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

  private mutating func take(where holds: (ColumnWords) -> Bool) -> Column? {
    rest.firstIndex { holds($0.words) }.map { rest.remove(at: $0).column }
  }

  /// Takes the variant. An action or an item is one unless the table is of purchases, which have items too.
  private mutating func takeVariant() -> Column? {
    if let variant = take(Self.variants) { return variant }
    let isOfPurchases = rest.contains {
      $0.words.isMoney || ($0.words.isOfPurchases && ($0.words.isID || $0.words.isTime))
    }
    return isOfPurchases ? nil : take(["action", "itemid"])
  }

  /// Takes the time of the assignment or, in a table without one, of what happened.
  private mutating func takeTime(isAssignment: Bool) -> Column? {
    if isAssignment, let time = take(where: { $0.isBeginning }) { return time }
    return take(Self.times) ?? take(where: { $0.isTime && !$0.isOutcomeTime && $0.isPlainTime })
      ?? take(where: { $0.isTime && $0.isPlainTime }) ?? take(where: { $0.isTime && !$0.isEarlier })
      ?? take(where: { $0.isTime })
  }

  /// Takes an id of a table that has no other column for the unit.
  private mutating func takeUnitID() -> Column? {
    take(where: { $0.isID && !$0.isOfPurchases && !$0.has(Self.otherIDs) }) ?? take(["id"])
  }

  /// Takes the id of a purchase.
  private mutating func takeID() -> Column? { take(where: { $0.isID && $0.isOfPurchases }) }

  /// Takes the amount that says most: a revenue before a total, and a total before its parts.
  private mutating func takeMoney() -> Column? {
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
    let goal = take(Self.goals)
    let money = takeMoney()
    add("goal", goal)
    if goal == nil { addConstantGoal(hasMoney: money != nil) }
    add("revenue", money)
    if let money {
      add(
        "negative",
        take(where: { !$0.isID && !$0.isTime && !$0.isMoney && $0.has(Self.reversals) }))
      return addRefunds(of: money, goal)
    }
    guard lines.contains(where: { $0.field == "goal" }) else { return }
    add(
      "value",
      take(["value", "eventvalue"]) ?? take(where: { $0.isOutcome && !$0.isPurchaseDetail }))
    if goal == nil { addCounts() }
  }

  /// Names the goal of a table that has no column for it.
  private mutating func addConstantGoal(hasMoney: Bool) {
    let all = lines.filter(\.isColumn).map { ColumnWords($0.column) } + rest.map(\.words)
    if all.contains(where: { $0.has(["refund", "refunds"]) && $0.isID }) {
      add("goal", constant: "refund")
    } else if hasMoney || all.contains(where: { $0.isOfPurchases && ($0.isID || $0.isTime) }) {
      add("goal", constant: "order")
    } else if let outcome = rest.first(where: { $0.words.isOutcome }) {
      add("goal", constant: outcome.column.name)
    } else if let word = all.lazy.filter({ $0.isTime }).compactMap(\.outcome).first {
      add("goal", constant: word)
    }
  }

  // MARK: What came of an assignment

  /// Adds a reward at the row's time, and an event for each outcome that has a time, a goal or a number of its own.
  private mutating func addOutcomes() {
    let all = rest
    times = all.filter { $0.words.isOutcomeTime }
    rest.removeAll { $0.words.isOutcomeTime }
    let goal = take(Self.goals)
    addReward()
    let money = takeMoney()
    if let money {
      addPurchase(goal, money)
    } else if let goal {
      let value = take(["value", "eventvalue"])
      begin(value == nil ? "conversion" : "goal")
      add(own: "goal", goal)
      if let value { add(own: "value", value) }
    }
    if let value = take(["value", "eventvalue"]) { addCount(value) }
    addRefunds(of: money, goal)
    addLosses()
    addCounts()
    while let money = takeMoney() { addCount(money) }
    addDetails()
    addTimes()
  }

  /// Adds the column that says whether the row's assignment was a success, unless it has a time of its own.
  private mutating func addReward() {
    let candidates =
      Self.rewards.compactMap { name in rest.first { $0.words.last == name } }
      + rest.filter { $0.words.isOutcome && $0.words.outcome != nil && !$0.words.isPurchaseDetail }
    let reward = candidates.first { time(of: $0.words) == nil && !$0.words.isLoss }
    guard let found = reward else { return }
    rest.removeAll { $0.column.name == found.column.name }
    add("reward", found.column)
  }

  /// Returns the time that has a word in common with a column or, of a sale, one of a sale.
  private func time(of words: ColumnWords) -> Candidate? {
    let stems = Set(words.words.map { $0.prefix(5) })
    let same = times.first { time in
      time.words.words.contains { $0.count > 3 && stems.contains($0.prefix(5)) }
    }
    return same ?? (words.isOfSale ? times.first { $0.words.isOfSale } : nil)
  }

  private var timed: Set<String> = []

  private mutating func addTime(of words: ColumnWords) {
    guard let time = time(of: words) else { return }
    timed.insert(time.column.name)
    add(own: "time", time.column)
  }

  private mutating func addPurchase(_ goal: Column?, _ money: Column) {
    begin("conversion")
    if let goal { add(own: "goal", goal) } else { addOwn("goal", constant: "purchase") }
    addTime(of: ColumnWords(money.name))
    add(own: "revenue", money)
    if goal == nil { add(own: "when", money) }
    purchase = last
  }

  /// Adds a conversion that takes money back for each column with such an amount. Without one, the column that says that
  /// money was paid back takes back the amount of the purchase.
  private mutating func addRefunds(of money: Column?, _ goal: Column?) {
    var hasAmount = false
    while let column = take(where: { $0.isRefund && $0.isMoney }) {
      addRefund(column, amount: column, goal)
      hasAmount = true
    }
    while let column = take(where: { $0.saysRefund }) {
      let isUnclear = ColumnWords(column.name).has(Self.reversals)
      if let money, !hasAmount, !isUnclear {
        addRefund(column, amount: money, goal)
        hasAmount = true
      } else {
        leaveOut(column, hasAmount ? "a refund whose amount is another column" : Self.noAmount)
      }
    }
  }

  private static let noAmount = "a refund, which is no reward and has no amount of its own"

  private mutating func addRefund(_ column: Column, amount: Column, _ goal: Column?) {
    let place = purchase.map { "\($0).goal" } ?? "goal"
    let known = lines.first { $0.field == place && !$0.isColumn }
    begin("conversion")
    if let goal {
      add(own: "goal", goal)
    } else {
      addOwn("goal", constant: known?.column ?? "purchase")
    }
    addTime(of: ColumnWords(column.name))
    addOwn("negative", constant: "true")
    add(own: "revenue", amount)
    add(own: "when", column)
  }

  /// Adds a conversion, which is no reward, for each column that says that something unwanted happened.
  private mutating func addLosses() {
    while let column = take(where: { $0.isOutcome && $0.isLoss && !$0.isPurchaseDetail }) {
      begin("conversion")
      addOwn("goal", constant: column.name)
      addTime(of: ColumnWords(column.name))
      add(own: "when", column)
      add(attribute: column, to: "\(last).metadata")
    }
  }

  /// Adds a goal for each column that says how often or how much of something there was.
  private mutating func addCounts() {
    while let column = take(where: { $0.isOutcome && !$0.isPurchaseDetail }) { addCount(column) }
  }

  /// Adds a goal whose value is a column, where it is not 0.
  private mutating func addCount(_ column: Column) {
    begin("goal")
    addOwn("goal", constant: column.name)
    addTime(of: ColumnWords(column.name))
    add(own: "value", column)
    add(own: "when", column)
  }

  /// Adds what describes a purchase to its event.
  private mutating func addDetails() {
    while let column = take(where: { $0.isPurchaseDetail }) {
      if purchase == nil {
        begin("conversion")
        addOwn("goal", constant: "purchase")
        addTime(of: ColumnWords("order"))
        add(own: "when", column)
        purchase = last
      }
      let words = ColumnWords(column.name)
      let id = "\(purchase ?? last).id"
      if words.isID, words.isOfPurchases, !lines.contains(where: { $0.field == id }) {
        add(id, column)
      } else {
        add(attribute: column, to: "\(purchase ?? last).metadata")
      }
    }
  }

  /// Adds the times of what no other column speaks of.
  private mutating func addTimes() {
    for time in times where !timed.contains(time.column.name) {
      if time.words.isRefund {
        leaveOut(time.column, Self.noAmount)
        continue
      }
      begin(time.words.isLoss ? "conversion" : "goal")
      addOwn("goal", constant: time.words.outcome ?? time.column.name)
      add(own: "time", time.column)
    }
  }

  // MARK: Adding lines

  private mutating func leaveOut(_ column: Column, _ reason: String) {
    leftOut.append(.init(column: column.name, reason: reason))
  }

  private mutating func begin(_ kind: String) {
    last += 1
    addOwn("type", constant: kind)
  }

  private mutating func add(_ field: String, _ column: Column?) {
    if let column { lines.append(.init(field: field, column)) }
  }

  private mutating func add(_ field: String, constant: String) {
    lines.append(.init(field: field, source: .constant(constant), example: nil))
  }

  private mutating func add(own field: String, _ column: Column) { add("\(last).\(field)", column) }

  private mutating func addOwn(_ field: String, constant: String) {
    add("\(last).\(field)", constant: constant)
  }

  private mutating func add(attribute column: Column, to list: String) {
    var name = String.UnicodeScalarView()
    for scalar in column.name.unicodeScalars {
      name.append("=:".unicodeScalars.contains(scalar) ? "_" : scalar)
    }
    while !names[list, default: []].insert(String(name)).inserted { name.append("_") }
    lines.append(.init(field: "\(list).\(String(name))", column))
  }
}
