/// The words of a column's name, by which a mapping is proposed: `order_time`, `orderTime` and `ORDER TIME` are `order`
/// and `time`. Of a path, only the last part counts.
struct ColumnWords: Hashable, Sendable {
  private(set) var words: [String]
  /// The last part of the path in small letters, without what separates words.
  let last: String
  /// Whether the name begins with `_`, as those do that a warehouse or a loader adds.
  let isMarked: Bool

  init(_ column: String) {
    let last = column.split(separator: ".").last.map(String.init) ?? column
    self.last = Self.plain(last)
    var words: [String] = []
    var word = ""
    var previous: Character = " "
    for character in last {
      let begins = character.isUppercase && (previous.isLowercase || previous.isNumber)
      if begins || !(character.isLetter || character.isNumber) {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter || character.isNumber { word += character.lowercased() }
      previous = character
    }
    if !word.isEmpty { words.append(word) }
    isMarked = last.first == "_"
    self.words = words
    if words.count == 1 { self.words = separated(words[0]) }
  }

  /// Returns a name in small letters, without what separates words.
  static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "$" }
  }

  /// Splits a word such as `convertedat` before what says that it is a time.
  private func separated(_ word: String) -> [String] {
    for ending in ["timestamp", "datetime", "time", "date", "at", "ts"] {
      guard word.hasSuffix(ending), word.count > ending.count else { continue }
      let rest = String(word.dropLast(ending.count))
      if isResult(rest) || Self.beginnings.contains(rest) { return [rest, ending] }
    }
    return [word]
  }

  func has(_ set: Set<String>) -> Bool { words.contains { set.contains($0) } }

  /// Returns whether the name ends with one of some words, or one and a unit or a count: `revenue_usd`, `clicks_7d`.
  private func ends(with set: Set<String>) -> Bool { ends { set.contains($0) } }

  func ends(_ holds: (String) -> Bool) -> Bool {
    let after = words.firstIndex { ["after", "following", "within"].contains($0) } ?? words.count
    let subject = after > 0 ? words[..<after] : words[...]
    // Before a unit, a count or a day such as `d7`.
    let end = subject.lastIndex {
      !Self.qualifiers.contains($0) && $0.first?.isNumber != true && $0.last?.isNumber != true
    }
    return (subject[(end ?? 0)...].first.map(holds) ?? false) || (subject.last.map(holds) ?? false)
  }
}

/// The probable use of a column, by the words of its name.
extension ColumnWords {
  /// Whether it was known before the assignment: a covariate.
  var isEarlier: Bool { has(Self.earlier) }

  /// Whether it is a point in time.
  var isTime: Bool {
    guard let last = words.last else { return false }
    if words.count == 1 { return Self.times.contains(last) || last == "day" }
    // A time that was spent is a number.
    if last == "time" { return !has(Self.spent) }
    if last == "on" { return words.dropLast().last?.hasSuffix("ed") ?? false }
    return Self.times.contains(last) || last == "at"
  }

  /// Whether a time is that of the assignment or exposure.
  var isBeginning: Bool { isTime && has(Self.beginnings) }

  /// Whether a time is that of something that came later, such as an order.
  var isOutcomeTime: Bool {
    isTime && !isBeginning && !isEarlier && !isBookkeeping
      && (words.contains { isResult($0) } || isSignUp)
  }

  /// Whether a time is neither one before the assignment nor one of the table's own life.
  var isPlainTime: Bool { !isEarlier && !isBookkeeping }

  /// The word that says what happened; nil if there is none.
  var outcome: String? { words.first { isResult($0) } ?? (isSignUp ? "signup" : nil) }

  /// Whether it is an amount of money that came in.
  var isMoney: Bool {
    guard !isEarlier, !isTime, !isID, !isElapsedTime else { return false }
    if ends(with: ["total"]) { return words.count == 1 || has(Self.purchases) || has(Self.money) }
    return ends(with: Self.money) || (words.last == "value" && has(Self.purchases)) || words == ["spent"]
  }

  /// Whether an amount is in hundredths of its currency.
  var isInCents: Bool { has(["cents", "pence"]) }

  /// Whether it says that something happened after the assignment, how often, or how much of it.
  var isOutcome: Bool {
    guard !isEarlier, !isTime, !isMoney, !isID, !isElapsedTime else { return false }
    return ends { says($0).map { $0 != .score } ?? false } || ends(with: Self.measures) || isSignUp
      || isRole || (has(["time", "seconds", "minutes"]) && has(Self.spent))
  }

  /// Whether it describes a purchase.
  var isPurchaseDetail: Bool {
    guard !isEarlier, !isTime, !isMoney, !isRefund, !isElapsedTime else { return false }
    return has(Self.details) || (isID && has(Self.purchases))
  }

  /// Whether it is about a sale or a conversion, which are often the same.
  var isOfSale: Bool { isMoney || has(Self.purchases) || has(Self.conversions) }

  /// Whether a program that loads tables wrote it: `_fivetran_synced`, `_airbyte_raw_id`, `etl_batch`.
  var isTechnical: Bool {
    words.count > 1 && (isMarked || words.first.map(Self.loaders.contains) ?? false)
  }

  /// Whether it is a time of the table's own life, such as that of its last update.
  var isBookkeeping: Bool { isTime && has(Self.bookkeeping) }

  var isID: Bool {
    ["id", "uuid", "key", "number", "no"].contains(words.last ?? "") && words.count > 1
  }

  /// Whether the name speaks of purchases.
  var isOfPurchases: Bool { has(Self.purchases) }

  /// Whether it says that someone became what the experiment is for: `is_customer`.
  private var isRole: Bool {
    ["is", "became"].contains(words.first)
      && ["customer", "buyer", "purchaser", "payer", "subscriber", "converter"].contains(words.last)
  }

  private var isSignUp: Bool { words.count >= 2 && has(["sign", "signed"]) && has(["up"]) }

  private static let times: Set<String> = [
    "time", "timestamp", "ts", "date", "datetime", "dt", "tstamp", "utc",
  ]
  private static let earlier: Set<String> = [
    "prior", "previous", "prev", "pre", "past", "before", "baseline", "historical", "history",
    "hist", "earlier", "since", "existing", "last", "predicted", "expected", "forecast",
  ]
  static let beginnings: Set<String> = [
    "assigned", "assignment", "exposed", "exposure", "bucketed", "enrolled", "enrollment",
    "allocated", "randomized", "impression", "decided", "decision", "served", "shown", "treated",
  ]
  private static let spent: Set<String> = [
    "spent", "watch", "load", "loading", "response", "session", "page", "dwell", "play",
    "listening", "reading", "wait", "waiting", "lead", "elapsed", "on", "active",
  ]
  private static let measures: Set<String> = [
    "sessions", "visits", "pageviews", "views", "items", "quantity", "qty", "minutes", "seconds",
    "duration", "rating", "watchtime", "engagement", "retention", "downloads", "signups", "leads",
    "refunds", "logins",
  ]
  private static let money: Set<String> = [
    "revenue", "amount", "total", "price", "gmv", "sales", "spend", "turnover", "profit", "margin",
    "payout", "proceeds", "aov", "ltv", "subtotal",
  ]
  private static let conversions: Set<String> = [
    "converted", "conversion", "conversions", "conv", "reward", "outcome", "success", "goal",
  ]
  private static let loaders: Set<String> = [
    "fivetran", "airbyte", "sdc", "stitch", "dlt", "etl", "elt", "dbt", "dwh", "meltano", "hevo",
  ]
  static let bookkeeping: Set<String> = [
    "updated", "modified", "processed", "inserted", "loaded", "exported", "ingested", "synced",
    "extracted", "batched",
    "ended", "end", "deleted", "seen", "closed", "expired",
  ]
  private static let qualifiers: Set<String> = [
    "usd", "eur", "gbp", "cad", "aud", "jpy", "cents", "net", "gross", "local", "sum", "count",
    "cnt", "num", "event", "events", "flag", "bool", "ind", "yn", "after", "post", "within", "in",
    "day", "days",
    "week", "weeks", "d", "h", "value",
  ]
  private static let purchases: Set<String> = [
    "order", "orders", "ordered", "purchase", "purchased", "purchases", "transaction",
    "transactions", "checkout", "cart", "basket", "sale", "payment", "paid", "invoice", "receipt",
    "conversion", "bought",
  ]
  private static let details: Set<String> = [
    "currency", "coupon", "discount", "shipping", "tax", "sku", "skus", "payment", "quantity",
    "qty", "items",
  ]
}
