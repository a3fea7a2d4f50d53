/// The outcome of an assignment.
extension SuggestedEvents {
  /// Adds an event for each outcome. None is the `reward` of the row, which is a goal also where it is 0: a goal of its
  /// own is there only for the successes, so that the share of units that reached it is their rate.
  mutating func addOutcomes() {
    times = rest.filter { $0.words.isOutcomeTime }
    rest.removeAll { $0.words.isOutcomeTime }
    let goal = take(Self.goals)
    let money = takeMoney()
    if let money {
      addPurchase(goal, money)
    } else if let goal {
      let value = take(["value", "eventvalue"])
      begin(value == nil ? "conversion" : "goal")
      add(own: "goal", goal)
      if let value { add(own: "value", value) }
    }
    addRefunds(of: money, goal)
    addLosses()
    while let count = take(Self.rewards + ["value", "eventvalue"]) { addCount(count) }
    addCounts()
    addDetails()
    addTimes()
  }

  /// Adds the records of a stream that are no assignments, under their own name. They are conversions, since a goal
  /// needs an experiment, which only assignments have.
  mutating func addStream(_ name: Column, unless variant: Column, _ id: Column?) {
    begin("conversion")
    add(own: "goal", name)
    // A variant may be called false, no or 0.
    addOwn("unless", anyOf: variant)
    if let id { add(own: "id", id) }
    purchase = last
    if let money = takeMoney() ?? take(["value", "eventvalue"]) {
      add(own: "revenue", money)
      if let negative = takeNegative() { add(own: "negative", negative) }
      addParts()
      addRefunds(of: money, name)
    }
    addDetails()
  }

  /// Returns the time that has a word in common with a column or, of a sale, one of a sale.
  private func time(of words: ColumnWords) -> Candidate? {
    let stems = Set(words.words.flatMap { [String($0.prefix(5)), ColumnWords.stem($0)] })
    let same = times.first { time in
      time.words.words.contains {
        ($0.count > 3 || words.isResult($0))
          && (stems.contains(String($0.prefix(5))) || stems.contains(ColumnWords.stem($0)))
      }
    }
    return same ?? (words.isOfSale ? times.first { $0.words.isOfSale } : nil)
  }

  private mutating func addTime(of words: ColumnWords) {
    guard let time = time(of: words) else { return }
    timed.insert(time.column.name)
    add(own: "time", time.column)
  }

  private mutating func addPurchase(_ goal: Column?, _ money: Column) {
    begin("conversion")
    if let goal { add(own: "goal", goal) } else { addOwn("goal", constant: "purchase") }
    addTime(of: ColumnWords(money.name))
    if let negative = takeFirst(where: { $0.words.isOfRow && Self.isNegative($0) }) {
      add(own: "negative", negative)
    }
    add(own: "revenue", money)
    if goal == nil { add(own: "when", money) }
    purchase = last
    addParts()
  }

  /// Adds further amounts of a purchase, such as the price before a discount, which are no events of their own.
  private mutating func addParts() {
    while let part = takeMoney() { add(attribute: part, to: "\(last).metadata") }
  }

  /// Adds a conversion that takes money back for each column with such an amount. Without one, the column that says
  /// that money was paid back takes back the amount of the purchase.
  mutating func addRefunds(of money: Column?, _ goal: Column?) {
    var hasAmount = false
    let isAmount = { (candidate: Candidate) in
      candidate.words.isRefund
        && (candidate.words.isMoney || (candidate.words.saysRefund && candidate.column.hasAmounts))
    }
    while let column = takeFirst(where: isAmount) {
      addRefund(column, amount: column, goal)
      hasAmount = true
    }
    while let column = take(where: { $0.saysRefund }) {
      let isClear = ColumnWords(column.name).saysRefunded || !column.records.isEmpty
      if let money, !hasAmount, isClear {
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
    let words = ColumnWords(column.name)
    begin(
      "conversion",
      time(of: words) == nil
        ? "no column has the time of this refund, so it is that of the row: check it" : nil)
    if let goal {
      add(own: "goal", goal)
    } else {
      addOwn("goal", constant: known?.column ?? "purchase")
    }
    addTime(of: words)
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

  /// Adds a goal for each column that says whether, how often or how much of something there was.
  mutating func addCounts() {
    while let column = take(where: { $0.isOutcome && !$0.isPurchaseDetail }) { addCount(column) }
  }

  /// Adds a goal where a column is not 0, with its number as the value.
  private mutating func addCount(_ column: Column) {
    guard column.isNumeric || column.isTruth else {
      return leaveOut(column, "a text that says what came of the assignment, and no number")
    }
    goalCount += 1
    begin("goal", goalCount == 2 ? Self.severalGoals : nil)
    addOwn("goal", constant: column.name)
    addTime(of: ColumnWords(column.name))
    if let slot { add(own: "slot", slot) }
    // Where it is yes or no, being there is all that it says.
    if column.isNumeric { add(own: "value", column) }
    add(own: "when", column)
  }

  private static let severalGoals =
    "report rewards adds up all goals; name one in report compare --metric reward:goal=NAME, or delete the others"

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
}
