import Foundation
import TestSupport
import Testing

/// What shells offer after the tabulator key.
@Suite("Completions")
struct CompletionTests {
  /// The values that nobody can list: numbers, times, and names that a log has.
  ///
  /// A shell expands what it is offered, so that a name in a log that is called `$(command)` would be run.
  private static let free: Set<String> = [
    // Numbers and times
    "N", "K", "R", "n", "number", "count", "value", "level", "seed", "position", "time",
    "duration", "durations", "days", "size", "jobs", "lift", "power", "rate", "mean", "sd",
    "variance", "look", "part", "parts", "share", "lambda", "steps", "ranks", "confidences",
    "regret", "i/n", "prior", "shares",
    // Names and texts of the user
    "name", "experiment", "variant", "unit", "goal", "goals", "study", "point", "segment",
    "choices", "codes", "options", "key", "key=value", "index=value", "text", "tag", "country",
    "terms", "subcommands", "names", "kinds", "zone",
  ]

  private static func script(_ shell: String) throws -> String {
    let result = try Command.run("--generate-completion-script \(shell)")
    expectDone(result)
    return result.text
  }

  @Test("an option that takes a name, a file or a folder completes it")
  func everyOption() throws {
    let options = Verbs.described.flatMap { verb in verb.options.map { (verb.words, $0) } }
    #expect(options.count > 300)
    for (words, option) in options where !option.isCompleted {
      // A log as a source is written log:path=LOG, which no shell completes.
      if option.name == "--warm-start" { continue }
      let place = "\(words.joined(separator: " ")) \(option.name) <\(option.valueName)>"
      #expect(
        Self.free.contains(option.valueName),
        "\(place) has no completion; add one (Support/Completions.swift), or its value's name here")
    }
  }

  @Test(
    "the scripts have every name of the catalogs",
    arguments: ["policies", "environments", "predictors", "estimators", "formats"])
  func names(verb: String) throws {
    let list = try Command.run("\(verb) --format csv")
    let names = Set(list.lines.dropFirst().compactMap { $0.split(separator: ",").first })
    #expect(names.count >= 10)
    for shell in ["bash", "zsh", "fish"] {
      let words = Set(try Self.script(shell).split { " \n'()\"".contains($0) })
      for name in names { #expect(words.contains(name), "\(shell): \(name)") }
    }
  }

  /// Commands that end where the key is pressed, and what must be offered there.
  static let offers: [(line: String, words: [String])] = [
    ("bandolier simulate --policy th", ["thompson", "thompson-gaussian"]),
    ("bandolier simulate -e ber", ["bernoulli"]),
    ("bandolier evaluate x.log --policy fi", ["fixed"]),
    ("bandolier evaluate x.log --estimator sni", ["snips"]),
    ("bandolier evaluate x.log --interval cl", ["clopper-pearson"]),
    ("bandolier learn x.log --policy-class t", ["tabular", "tree"]),
    ("bandolier predict tabs --predictor half", ["half-life"]),
    ("bandolier generate st", ["storefront", "studies"]),
    ("bandolier import a.csv --format grow", ["growthbook", "growthbook-facts"]),
    ("bandolier export x.log --format ds", ["dsjson"]),
    ("bandolier explain comp", ["compare"]),
    ("bandolier report comp", ["compare"]),
    ("bandolier report compare x.log --metric conv", ["converted", "conversions"]),
    ("bandolier report compare x.log --correction b", ["bonferroni", "bh", "by"]),
    ("bandolier report rewards x.log --by ", ["policy", "reason", "day", "context."]),
    ("bandolier report rewards x.log --attribution li", ["linear"]),
    ("bandolier report rewards x.log --format j", ["json", "jsonl"]),
    ("bandolier report health x.log --fail-on s", ["srm"]),
    ("bandolier report rewards sho", ["shop.log/", "shop.sqlite"]),
    ("bandolier log verify sho", ["shop.log/"]),
  ]

  /// A folder with a log, a database and a file of another kind.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("shop.log"), withIntermediateDirectories: false)
    for name in ["shop.sqlite", "shop.txt"] { _ = try folder.write("", name) }
    return folder
  }

  @Test("bash offers names, files and folders", arguments: offers)
  func bash(line: String, words: [String]) throws {
    let folder = try Self.folder()
    _ = try folder.write(Self.script("bash"), "bandolier.bash")
    // What bash does when the key is pressed; it adds the slash of folders itself.
    let pressed = try folder.write(
      """
      source bandolier.bash
      COMP_LINE=$1 COMP_POINT=${#1}
      IFS=' ' read -ra COMP_WORDS <<< "$1"
      [[ $1 == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _bandolier bandolier "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      for word in "${COMPREPLY[@]}"; do [[ -d $word ]] && word+=/; printf '%s\\n' "$word"; done
      """, "pressed.bash")
    let result = try Program.run("bash", ["--norc", pressed, line], directory: folder.path)
    expectDone(result)
    #expect(result.messages == "")
    #expect(Set(result.lines).isSuperset(of: words), "\(line): \(result.lines)")
    #expect(!result.lines.contains { $0.contains("shop.txt") })
    if line.contains("verify") { #expect(result.lines == words) }
  }

  @Test(
    "fish offers names, files and folders",
    .enabled(if: Program.isInstalled("fish"), "fish is not installed"), arguments: offers)
  func fish(line: String, words: [String]) throws {
    let folder = try Self.folder()
    _ = try folder.write(Self.script("fish"), "bandolier.fish")
    let result = try Program.run(
      "fish", ["--no-config", "-c", "source bandolier.fish; complete -C '\(line)'"],
      environment: ["HOME": folder.path], directory: folder.path)
    expectDone(result)
    let offered = Set(result.lines.map { $0.prefix { $0 != "\t" } })
    for word in words { #expect(offered.contains(word[...]), "\(line): \(offered)") }
    #expect(!offered.contains("shop.txt"))
  }

  @Test(
    "zsh inserts the only name that fits",
    .enabled(if: Program.isInstalled("zsh"), "zsh is not installed"),
    arguments: [
      ("bandolier simulate -e ber", "noulli"), ("bandolier explain comp", "are"),
      ("bandolier evaluate x.log --estimator slop", "e"),
      ("bandolier report health x.log --fail-on sr", "m"),
      ("bandolier log verify sho", "p.log/"),
    ])
  func zsh(line: String, rest: String) throws {
    let folder = try Self.folder()
    _ = try folder.write(Self.script("zsh"), "_bandolier")
    // A shell in a terminal of its own, in which the line is typed, and printed once it was completed.
    let typing = try folder.write(
      """
      zmodload zsh/zpty
      zpty shell "cd \(folder.path) && zsh -f -i"
      zpty -w shell 'PS1=; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; show() { print -r - "<$BUFFER>"; }; zle -N show; bindkey "^X" show; echo rea\\dy'
      zpty -r -m shell seen '*ready*'
      zpty -w -n shell "$1"$'\\t\\x18'
      zpty -r -m shell seen '*<*>*'
      print -r - "$seen"
      """, "typing.zsh")
    let result = try Program.run(
      "zsh", ["-f", typing, line], environment: ["HOME": folder.path], directory: folder.path)
    let shown = result.text.split { "<>".contains($0) }
    #expect(shown.contains { $0.drop { $0 == " " }.hasPrefix(line + rest) }, "\(result.text)")
  }
}
