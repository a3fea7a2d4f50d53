import Foundation
import TestSupport
import Testing

/// Every option that takes a name, with a name that matches nothing. Nothing of it may end in an empty answer and exit code 0
/// without a word.
@Suite("Names that match nothing")
struct UnknownNameTests {
  /// What happens.
  enum Outcome: Equatable {
    /// No answer, an exit code.
    case refused(Int32)
    /// An answer, and a line on standard error.
    case warned
  }

  struct Case: CustomTestStringConvertible {
    var words: String
    var outcome: Outcome
    var says: [String]
    var testDescription: String { words }

    init(_ words: String, _ outcome: Outcome, _ says: String...) {
      (self.words, self.outcome, self.says) = (words, outcome, says)
    }
  }

  /// A log and its database, made once.
  private static let template = Result { try makeLog() }

  /// A copy of them for one test.
  private static func log() throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    for name in ["log", "model.sqlite"] {
      try FileManager.default.copyItem(
        atPath: try template.get() + "/" + name, toPath: folder.path(name))
    }
    return (folder, folder.path("log"))
  }

  private static func makeLog() throws -> String {
    let folder =
      NSTemporaryDirectory()
      + "bandolier-unknown-names-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let time = { Timestamps.text(seconds: 60 * $0) }
    var lines: [String] = []
    for number in 0..<40 {
      let variant = number % 2 == 0 ? "control" : "treatment"
      let common = #""unit":"user-\#(number)","experiment":"#
      lines.append(
        #"{"type":"decision","time":"\#(time(number))",\#(common)"pricing","variant":"\#(variant)","#
          + #""choices":["control","treatment"],"propensity":0.5,"probabilities":[0.5,0.5],"reason":"random","#
          + #""context":{"country":"\#(number % 3 == 0 ? "DE" : "US")"},"features":{"control":{"price":1}}}"#
      )
      lines.append(
        #"{"type":"decision","time":"\#(time(number))",\#(common)"banner","variant":"\#(number % 2 == 0 ? "red" : "blue")","reason":"forced"}"#
      )
      lines.append(
        #"{"type":"dataPoint","time":"\#(time(number))","unit":"user-\#(number)","kind":"custom","key":"plan","value":"pro"}"#
      )
      lines.append(
        #"{"type":"dataPoint","time":"\#(time(number))","unit":"user-\#(number % 2)","kind":"optionTaken","key":"tabs","value":"\#(number % 4 < 2 ? "map" : "list")"}"#
      )
      guard number % 4 == 0 else { continue }
      lines.append(
        #"{"type":"goal","time":"\#(time(number + 1))",\#(common)"pricing","goal":"order"}"#)
      lines.append(
        #"{"type":"conversion","time":"\#(time(number + 1))","unit":"user-\#(number)","goal":"visit"}"#
      )
    }
    expectDone(try Command.run("append \(folder)/log", input: lines.text))
    expectDone(try Command.run("replay \(folder)/log --into \(folder)/model.sqlite"))
    return folder
  }

  private static let experiment = #"has no experiment "pricng"; did you mean "pricing"?"#
  private static let variant = #"has no variant "contrl"; did you mean "control"?"#
  private static let order = #"has no goal "ordr"; did you mean "order"?"#
  private static let context = #"no decision of"#

  /// Options that logs and databases take alike; the report takes LOG.
  static let reports = [
    Case("rewards --experiment pricng", .refused(65), experiment),
    Case("rewards --experiment pricng --experiment pricing", .warned, experiment),
    Case("conversions --experiment pricng", .refused(65), experiment),
    Case("compare --experiment pricng", .refused(65), experiment),
    Case("quantiles --experiment pricng", .refused(65), experiment),
    Case("regret --experiment pricng", .refused(65), experiment),
    Case("health --experiment pricng", .refused(65), experiment),
    Case("series --experiment pricng", .refused(65), experiment),
    Case("visits --experiment pricng", .refused(65), experiment),
    Case("funnel --steps order --experiment pricng", .refused(65), experiment),
    Case("retention --experiment pricng", .refused(65), experiment),
    Case("power --experiment pricng", .refused(65), experiment),
    Case("rewards --experiment zzz", .refused(65), #""zzz"; it has "banner", "pricing""#),
    Case("compare --metric reward:goal=ordr", .refused(65), order),
    Case("compare --metric ratio:of=revenue:goal=visitt,over=conversions", .refused(65), "visitt"),
    Case("compare --metric revenu", .refused(64), #"did you mean "revenue"?"#),
    Case("compare --metric reward:gaol=order", .refused(64), #"did you mean "goal"?"#),
    Case("compare --baseline contrl", .refused(65), variant),
    Case(
      "compare --baseline red --experiment pricing", .refused(65), #"--baseline "red""#,
      #""control", "treatment""#),
    Case(
      "compare --baseline zzz --experiment pricing", .refused(65),
      #"experiment "pricing" of "#, #"has no variant "zzz"; it has "control", "treatment""#),
    Case("compare --expect contrl=0.5;treatment=0.5", .refused(65), variant),
    Case("compare --method welsh", .refused(64), #"did you mean "welch"?"#),
    Case("power --baseline contrl", .refused(65), variant),
    Case("power --metric reward:goal=ordr", .refused(65), order),
    Case("quantiles --goal ordr", .refused(65), order),
    Case("quantiles --goal ordr --goal order", .warned, order),
    Case("funnel --steps order,vist", .refused(65), #"has no goal "vist"; did you mean "visit"?"#),
    Case("health --expect contrl=1,treatment=1", .refused(65), variant),
    Case("health --expect pricng/control=1,pricng/treatment=1", .refused(65), experiment),
    Case("health --expect pricing/contrl=1,pricing/treatment=1", .refused(65), variant),
    Case("health --fail-on srn", .refused(64), #"did you mean "srm"?"#),
    Case("health --fail-on crossed_units", .refused(64), #"did you mean "crossed"?"#),
  ]

  /// Options that only a log has an answer to, and verbs that take a log.
  static let logs = [
    Case(
      "report rewards LOG --by context.contry", .refused(65), context,
      #"has context.contry; did you mean "context.country"?"#),
    Case("report rewards LOG --by context.price", .refused(65), "context.price", "context.country"),
    Case(
      "report rewards LOG --by data.custm.plan", .refused(65), #"did you mean "data.custom.plan"?"#),
    Case(
      "report rewards LOG --by data.custom.plam", .refused(65), #"did you mean "data.custom.plan"?"#
    ),
    Case("report rewards LOG --by data.custom.tabs", .warned, "data.custom.tabs"),
    Case("report rewards LOG --by policy", .warned, "no row of the report has a value of policy"),
    Case("report rewards LOG --by contry", .refused(64), "written context.contry"),
    Case("report rewards LOG --by data.country", .refused(65), #"did you mean "context.country"?"#),
    Case("report rewards LOG --by context.custom", .refused(65), #"did you mean "data.custom"?"#),
    Case(
      "report rewards LOG --by context.country --experiment banner", .warned, "context.country"),
    Case("report compare LOG --post-stratify context.contry", .refused(65), "context.country"),
    Case("report predictions LOG --by context.contry", .refused(65), "context.country"),
    Case(
      "report rewards LOG --without-reason forcd", .refused(65), #"did you mean "forced"?"#),
    Case("report rewards LOG --without-reason forced --without-reason forcd", .warned, "forcd"),
    Case("report rewards LOG --without-reason adaptive", .warned, #"no reason "adaptive""#),
    Case("report adaptive LOG --baseline contrl", .refused(65), variant),
    Case(
      "report adaptive LOG --experiment banner", .refused(65),
      "of 40 decisions 40 have no probability"),
    Case("report predictions LOG --study tab", .refused(65), #"did you mean "tabs"?"#),
    Case("report predictions LOG --study tab --study tabs", .warned, #"did you mean "tabs"?"#),
    Case("report predictions LOG --over decisions --study pricng", .refused(65), experiment),
    Case("report predictions LOG --over decisions --experiment pricng", .refused(65), experiment),
    Case("report predictions LOG --predictor markv", .refused(64), #"did you mean "markov"?"#),
    Case("report predictions LOG --baseline popularr", .refused(64), #"did you mean "popular"?"#),
    Case("report predictions LOG --warm-up 1000", .warned, "--warm-up 1000"),
    Case("report predictions LOG --warm-up 1000 --table calibration", .warned, "--warm-up 1000"),
    Case("report predictions LOG --warm-up 1000 --table skill", .warned, "--warm-up 1000"),
    Case(
      "log cat LOG --unit user-400", .refused(65), #"no event of unit "user-400"; did you mean "#),
    Case("log cat LOG --unit user-400 --unit user-4", .warned, "user-400"),
    Case("log cat LOG --experiment pricng", .refused(65), experiment),
    Case("log cat LOG --experiment pricng --experiment pricing", .warned, experiment),
    Case("log cat LOG --kind gaol", .refused(64), #"did you mean "goal"?"#),
    Case("log cat LOG --kind sessionExpired", .warned, "no event meets every condition"),
    Case("log cat LOG --unit user-1 --kind goal", .warned, "no event meets every condition"),
    Case("log cat LOG --from 1000", .warned, "none is at position 1000 or later"),
    Case("log erase LOG --unit user-400 --dry-run", .warned, #"no event of unit "user-400""#),
    Case("log erase LOG --unit user-400", .warned, #"no event of unit "user-400""#),
    Case("simulate -e log:path=LOG,experiment=pricng -p ucb1 --runs 2", .refused(65), experiment),
    Case(
      "simulate -e log:path=LOG,experiment=pricing,point=point-2 -p ucb1", .refused(65),
      #"has no point "point-2""#),
    Case(
      "simulate -e log:path=LOG,experiment=pricing,slot=decision-2 -p ucb1", .refused(65),
      #"has no slot "decision-2""#),
    Case(
      "simulate -e log:path=LOG,experiment=pricing,variants=contrl;treatment -p ucb1", .refused(65),
      #"did you mean "control"?"#),
    Case(
      "simulate -e log:path=LOG,experiment=pricing,context=contry -p ucb1", .refused(65), "contry"),
    Case(
      "simulate -e log:path=LOG,experiment=pricing -p fixed:variant=contrl", .refused(64), "contrl",
      "control"),
    Case(
      "simulate -e bernoulli:means=0.1;0.2 -p ucb1 --warm-start log:path=LOG,experiment=pricng",
      .refused(65), experiment),
    Case("simulate -e bernouli:means=0.1 -p ucb1", .refused(64), #"did you mean "bernoulli"?"#),
    Case(
      "simulate -e bernoulli:means=0.1;0.2 -p thomson", .refused(64), #"did you mean "thompson"?"#),
    Case(
      "simulate -e bernoulli:means=0.1;0.2 -p ucb:alph=1", .refused(64), #"did you mean "alpha"?"#),
    Case("explain regrt", .refused(64), #"did you mean "regret"?"#),
    Case(
      "generate storefrnt --events 3 --seed 1 --log LOG.x", .refused(64),
      #"did you mean "storefront"?"#),
    Case(
      "generate studies:unit=3 --events 3 --seed 1 --log LOG.x", .refused(64),
      #"did you mean "units"?"#),
    Case("import - --log LOG.x --format jsnl", .refused(64), #"did you mean "jsonl"?"#),
    Case(
      "decide --log LOG --unit u --experiment pricng", .refused(64), "--choices",
      #"did you mean "pricing"?"#),
    Case("decide --log LOG --unit u --experiment pricing --point cart", .refused(64), "--choices"),
    Case("decide --log LOG.new --unit u --experiment pricing", .refused(64), "--choices"),
    Case("predict tab --log LOG --unit user-1", .refused(65), #"did you mean "tabs"?"#),
    Case("predict tabs --log LOG.new --unit user-1", .refused(66), "LOG.new"),
    Case(
      "predict tabs --log LOG --unit user-1 --predictor markv", .refused(64),
      #"did you mean "markov"?"#),
    Case("goal --log LOG --unit user-1 --experiment pricng", .warned, experiment),
    Case("expire --log LOG --unit user-1 --experiment pricng", .warned, experiment),
    Case("expire --log LOG.new --unit user-1 --experiment pricing", .refused(66), "LOG.new"),
    Case("report rewrds LOG", .refused(64), #"unknown report "rewrds"; did you mean "rewards"?"#),
    Case("reprot rewards LOG", .refused(64), #"unknown verb "reprot"; did you mean "report"?"#),
    Case("log infp LOG", .refused(64), #"unknown verb "infp"; did you mean "info"?"#),
    Case("help reprot", .refused(64), #"unknown verb "reprot"; did you mean "report"?"#),
    Case("report rewrds --help", .refused(64), #"did you mean "rewards"?"#),
    Case("zzz LOG", .refused(64), #"unknown verb "zzz"; available: "import", "append""#),
    Case("report rewards LOG --experimnt pricing", .refused(64), "--experiment"),
    Case("report rewards LOG --by polcy", .refused(64), #"did you mean "policy"?"#),
    Case("report rewards LOG --by context", .refused(64), #"did you mean "context.NAME"?"#),
    Case("report rewards LOG --format markdwn", .refused(64), #"did you mean "markdown"?"#),
    Case("report rewards LOG --per unti", .refused(64), #"did you mean "unit"?"#),
    Case("report rewards LOG --damaged skp", .refused(64), #"did you mean "skip"?"#),
    Case("report rewards LOG --attribution frist", .refused(64), #"did you mean "first"?"#),
    Case("report quantiles LOG --metric revenu,reward", .refused(64), #"did you mean "revenue"?"#),
    Case("report compare LOG --correction bonf", .refused(64), #"did you mean "bonferroni"?"#),
    Case("report compare LOG --lift-method fielr", .refused(64), #"did you mean "fieller"?"#),
    Case("report compare LOG --spending pocock", .refused(64), #""lan-obf", "lan-pocock""#),
    Case("report regret LOG --means snip", .refused(64), #"did you mean "snips"?"#),
    Case("report series LOG --every weak", .refused(64), #"did you mean "week"?"#),
    Case("report predictions LOG --table advise", .refused(64), #"did you mean "advice"?"#),
    Case("export LOG --format jsnl", .refused(64), #"did you mean "jsonl"?"#),
    Case("log compact LOG --profile smal", .refused(64), #"did you mean "small"?"#),
    Case("simulate -e bernoulli:means=0.1;0.2 -p ucb1 --show rankng", .refused(64), "ranking"),
    Case(
      "simulate -e bernoulli:means=0.1;0.2 -p zzz", .refused(64),
      #"unknown policy "zzz"; available: "#, " more"),
  ]

  private func check(_ test: Case, _ words: String, _ log: String) throws {
    let words = words.replacing("LOG", with: log)
    let result = try Command.run(words)
    switch test.outcome {
    case .refused(let exitCode):
      #expect(result.exitCode == exitCode, "\(result.messages)")
      #expect(result.text == "")
    case .warned:
      #expect(result.exitCode == 0, "\(result.messages)")
      let isSaid = result.messages.contains("warning: ") || result.messages.contains("note: ")
      #expect(isSaid, "\(result.messages)")
    }
    for part in test.says {
      let part = part.replacing("LOG", with: log)
      #expect(result.messages.contains(part), "no \(part) in \(result.messages)")
    }
    let made = FileManager.default.fileExists(atPath: log + ".new")
    #expect(!made, "a log was made for nothing")
  }

  @Test("a report of a log", arguments: reports)
  func ofLog(test: Case) throws {
    let (folder, log) = try Self.log()
    let words = test.words.split(separator: " ", maxSplits: 1)
    try check(test, "report \(words[0]) LOG " + words.dropFirst().joined(), log)
    withExtendedLifetime(folder) {}
  }

  @Test("a report of a database", arguments: reports)
  func ofDatabase(test: Case) throws {
    let (folder, _) = try Self.log()
    let words = test.words.split(separator: " ", maxSplits: 1)
    try check(
      test, "report \(words[0]) LOG " + words.dropFirst().joined(), folder.path("model.sqlite"))
  }

  @Test("a verb, or a report that only logs have", arguments: logs)
  func ofVerb(test: Case) throws {
    let (folder, log) = try Self.log()
    try check(test, test.words, log)
    withExtendedLifetime(folder) {}
  }
}
