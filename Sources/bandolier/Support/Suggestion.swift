import ArgumentParser
import Events
import Reports
import Specifications

/// The verb that the arguments of the process name, such as `report rewards`.
struct VerbPath {
  /// The last verb that is known; the command itself if there is none.
  private(set) var verb: any ParsableCommand.Type = Bandolier.self
  /// The words that name it.
  private(set) var words: [String] = []
  /// The word after it, if a verb should stand there and the word names none.
  private(set) var unknown: String?

  /// Finds the verb.
  ///
  /// - Parameter arguments: The arguments without the name of the program, such as `report rewards --help` or `help
  ///   report rewards`.
  init(_ arguments: [String]) {
    for word in arguments.drop(while: { $0 == "help" }) {
      let verbs = verb.configuration.subcommands
      guard let next = verbs.first(where: { $0.configuration.commandName == word }) else {
        if !verbs.isEmpty, !word.hasPrefix("-") { unknown = word }
        return
      }
      verb = next
      words.append(word)
    }
  }

  /// The message about the unknown word.
  var message: String? {
    let verbs = verb.configuration.subcommands.compactMap { $0.configuration.commandName }
    let noun = verb == ReportCommand.self ? "report" : "verb"
    return unknown.map { NearestName.unknown(noun, $0, among: verbs) }
  }
}

extension VerbPath {
  /// The options of the verb, such as `--policy`.
  var options: [String] {
    verb.helpMessage(includeHidden: true, columns: 200).split(separator: "\n").flatMap { line in
      // The names of an option are before its meaning, with two spaces or more between.
      let names = line.prefixMatch(of: /\s+(-.*?)(  |$)/)?.1 ?? ""
      return names.matches(of: /--[a-z-]+/).map { String($0.output) }
    }
  }

  /// Returns a message about an argument that looks like an option and is near to one of the verb, but none.
  ///
  /// The parser says so itself, unless another check fails before it looks at what is left.
  func unknownOption(_ arguments: [String]) -> String? {
    let known = options
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
      let name = String(argument.prefix { $0 != "=" })
      guard !known.contains(name), let near = NearestName.nearest(to: name, among: known) else {
        continue
      }
      return "Unknown option '\(name)'. Did you mean '\(near)'?"
    }
    return nil
  }
}

/// A verb that knows which of its options have several values, without asking the parser.
protocol RepeatableOptions {
  static var repeatable: Set<String> { get }
}

extension ReportVerb: RepeatableOptions {
  static var repeatable: Set<String> {
    Set(Made.options.filter { $0.info.form == .repeated }.map { "--\($0.info.name)" })
  }
}

extension VerbPath {
  /// Returns a message about an option of the verb that has one value and is given more than once; nil if there is
  /// none. The parser would take the last of its values.
  func repeatedOption(_ arguments: [String]) throws -> String? {
    // Asking the parser takes as long as a small report, so the usual repetitions are left out before.
    let repeatable = (verb as? any RepeatableOptions.Type)?.repeatable ?? []
    let given = Self.options(in: arguments).filter { !repeatable.contains($0.name) }
    // A short name is the first letter of the long one.
    guard given.contains(where: { one in given.count { $0.name == one.name || $0.name.hasPrefix("-\(one.name)") } > 1 })
    else { return nil }
    let known = try JSONValue(parsing: verb._dumpHelp())["command"]?["arguments"]?.array ?? []
    for argument in known
    where argument["kind"]?.string == "option" && argument["isRepeating"]?.boolean == false {
      let names = VerbArgument.names(argument)
      let values = given.filter { names.contains($0.name) }.map(\.value)
      guard let name = names.last, values.count > 1 else { continue }
      return
        "\(name) is given \(values.count == 2 ? "twice" : "\(values.count) times") "
        + "(\(values.joined(separator: ", "))); give it once"
    }
    return nil
  }

  /// Returns the options among arguments, with the text after each.
  private static func options(in arguments: [String]) -> [(name: String, value: String)] {
    let words = arguments.prefix { $0 != "--" }
    return words.indices.compactMap { index in
      let word = words[index]
      guard word.hasPrefix("-") else { return nil }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let next = index + 1 < words.endIndex ? words[index + 1] : ""
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : next)
    }
  }
}

/// Suggestions of the nearest valid name in the parser's messages about unknown verbs and values.
enum Suggestion {
  /// Returns the parser's message with a suggestion if there is an unknown verb or option, or a value that is not one
  /// of a list.
  static func adding(to text: String, for arguments: [String]) -> String {
    if let message = VerbPath(arguments).message {
      return "Error: \(message)" + text.drop { $0 != "\n" }
    }
    if let message = VerbPath(arguments).unknownOption(arguments) {
      return "Error: \(message)" + text.drop { $0 != "\n" }
    }
    guard let values = text.firstRange(of: ". Please provide one of"),
      let value = text.firstMatch(of: /The value '(.*?)' is invalid for '/)?.1
    else { return text }
    // The values are in quotes, or on lines of their own after a hyphen.
    let known =
      text[values.upperBound...].split(separator: "\nHelp:").first?
      .split { $0 == "'" || $0 == "\n" }
      .map { $0.hasPrefix("  - ") ? $0.dropFirst(4) : $0 } ?? []
    guard let near = NearestName.nearest(to: String(value), among: known.map(String.init)) else {
      return text
    }
    return text[..<values.lowerBound] + "; did you mean \"\(near)\"?"
      + text[values.lowerBound...].dropFirst()
  }
}
