import Foundation
import TestSupport
import Testing

/// Times, durations, counts, numbers and lists in every option that takes one.
@Suite("Values of options")
struct OptionValueTests {
  /// The options that differ in name or kind of value, each with the first verb that has it.
  private static func distinctOptions() -> [(verb: [String], option: Verbs.Option)] {
    var seen: Set<Verbs.Option> = []
    return Verbs.described.flatMap { verb in
      verb.options.filter { seen.insert($0).inserted }.map { (verb: verb.words, option: $0) }
    }
  }

  /// What the parser says to an option of a verb, which is never run: another option does not exist.
  private static func answer(_ verb: [String], _ option: String, _ value: String) throws -> String {
    let result = try Command.run(verb + ["\(option)=\(value)", "--no-such-option"])
    #expect(result.exitCode == 64)
    return result.messages
  }

  /// Values that every option with a value of that name takes.
  private static let taken = [
    "duration": ["7", "7d", "1w", "12h", "30m", "30min", "90s", "250ms"],
    "days": ["7", "7d", "1w"],
    "time": ["2026-01-05", "2026-01-05T10:00:00+01:00", "1767225600"],
    "level": ["0.05", "5%", "1e-3"], "lift": ["5%"], "power": ["80%"], "rate": ["5%"],
    "count": ["1000", "1e3"], "N": ["1e1"], "n": ["2e1"], "number": ["1e0"], "jobs": ["2"],
    "position": ["1e6"], "size": ["1000000", "1e9", "500M", "4G"],
    "parts": ["50%,0.9", "50%;0.9"], "confidences": ["0.5,90%"], "ranks": ["1,3", "1;3"],
    "shares": ["A=70%,B=30%", "A=0.7;B=0.3"], "prior": ["0,1", "0;1"], "steps": ["1e1,1e2", "1;2"],
  ]

  @Test("an option that rejects a value says what it takes")
  func rejected() throws {
    for (verb, option) in Self.distinctOptions() {
      let answer = try Self.answer(verb, option.name, "?!")
      guard let place = answer.range(of: "is invalid for '") else { continue }
      let rest = answer[place.upperBound...].drop { $0 != "'" }.dropFirst()
      let says = rest.hasPrefix(": ") || rest.hasPrefix(". Please provide one of")
      #expect(says, "\(verb) \(option.name) does not say what it takes: \(answer)")
    }
  }

  @Test("every option takes the values of its kind")
  func taken() throws {
    let options = Self.distinctOptions()
    for (verb, option) in options where option.name != "--type" {
      for value in Self.taken[option.valueName] ?? [] {
        let answer = try Self.answer(verb, option.name, value)
        #expect(!answer.contains("is invalid for"), "\(verb) \(option.name) \(value): \(answer)")
      }
    }
    #expect(Set(options.map(\.option.valueName)).isSuperset(of: Self.taken.keys))
  }

  @Test("a negative number is taken for the value of the option before it")
  func negative() throws {
    for words in ["--memory -1", "--memory=-1"] {
      expectFailure(
        try Command.run("report rewards L \(words)"), 64, says: "\"-1\" is not a size")
    }
    expectFailure(try Command.run("log cat -- --from -1"), 64, says: "'-1'")
  }

  @Test("a memory limit that no report could keep is refused, with the least")
  func memory() throws {
    for (verb, size) in [("report rewards", "4"), ("report compare", "900K"), ("replay", "1K")] {
      #expect(
        try Self.answer(verb.split(separator: " ").map(String.init), "--memory", size).contains(
          "it must be at least 1M"))
    }
  }

  @Test(
    "an option with one value is given once",
    arguments: [
      ("report rewards log --window 7d --window=3d", "--window is given twice (7d, 3d); give it once"),
      ("report rewards log -o a --output b", "--output is given twice (a, b)"),
      ("report rewards log --minimum -5 --minimum 1 --minimum 2", "--minimum is given 3 times (-5, 1, 2)"),
      ("log cat log --since 1 --since 2", "--since is given twice (1, 2)"),
      ("simulate --seed 1 --seed 1", "--seed is given twice (1, 1)"),
    ])
  func givenTwice(words: String, message: String) throws {
    expectFailure(try Command.run(words), 64, says: message)
  }

  @Test("values of options that are written in several ways mean the same")
  func same() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    expectDone(try Command.run("generate storefront --events 2e3 --seed 1 --log \(log)"))
    let simulate = "simulate -e bernoulli:means=0.1;0.5 --seed 3"
    for (verb, options) in [
      ("report conversions", ["--window 7d", "--window 7", "--window 1w", "--window 168h"]),
      ("report rewards", ["--delay 30min", "--delay 30m", "--delay 1800s"]),
      ("report rewards", ["--alpha 0.1", "--alpha 10%", "--alpha 1e-1"]),
      ("report rewards", ["--since 2026-01-02T00:00:00Z", "--since 2026-01-02"]),
      ("report rewards", ["--limit 10", "--limit 1e1"]),
      ("report rewards", ["--minimum=-5", "--minimum -5", "--minimum -.5e1"]),
      ("report rewards", ["", "--memory 1000000000", "--memory 1e9", "--memory 1G"]),
      ("report series", ["--every week", "--every 1w", "--every 7d"]),
      ("report retention", ["--days 1,7", "--days 1d,1w", "--days 1;7"]),
      ("report quantiles", ["--at 0.5,0.9", "--at 50%,90%", "--at 0.9;0.5"]),
      (
        "report quantiles",
        ["--metric revenue,reward", "--metric reward --metric revenue"]
      ),
      (
        "report compare --experiment pricing",
        ["--expect regular=0.8;discount-10=0.2", "--expect regular=80%,discount-10=20%"]
      ),
      ("report compare --method bayes", ["--prior 0;1", "--prior 0,1", "--prior 0,100%"]),
      ("log cat", ["--kind decision,goal", "--kind decision --kind goal"]),
      (
        "\(simulate) -p ucb1",
        [
          "--horizon 100 --runs 10 --checkpoints 10;50",
          "--horizon 1e2 --runs 1e1 --checkpoints 10,5e1",
        ]
      ),
    ] {
      let first = verb.hasPrefix("simulate") ? verb : "\(verb) \(log)"
      let results = try options.map { try Command.run("\(first) \($0)") }
      for (result, option) in zip(results, options) {
        expectDone(result)
        #expect(result.output == results[0].output && result.output != [], "\(verb) \(option)")
      }
    }
  }
}
