import ArgumentParser
import Events

/// A verb as its declaration describes it: what its help and its manual page are about.
struct VerbDescription {
  /// Its words, such as `report` and `compare`; empty for the command itself.
  let words: [String]
  /// Its purpose, in one sentence.
  let abstract: String
  /// Further paragraphs.
  let discussion: String
  /// How it is called: one form of the call for each line.
  let usage: [String]
  /// Commands that run on `datasets/`.
  let examples: [String]
  /// Its arguments and options.
  let arguments: [VerbArgument]
  /// The verbs below it.
  let verbs: [VerbDescription]

  /// The name of its manual page, such as `bandolier-report-compare`.
  var pageName: String { (["bandolier"] + words).joined(separator: "-") }

  /// It and all verbs below it.
  var all: [VerbDescription] { [self] + verbs.flatMap(\.all) }

  /// Describes the whole command.
  static func command() throws -> VerbDescription {
    let dump = try JSONValue(parsing: Bandolier._dumpHelp())
    return VerbDescription(dump["command"] ?? .null, Bandolier.self, words: [])
  }

  /// Creates the description from what the parser says of a verb, and from the verb itself.
  private init(_ dump: JSONValue, _ type: any ParsableCommand.Type, words: [String]) {
    self.words = words
    abstract = dump["abstract"]?.string ?? ""
    discussion = dump["discussion"]?.string ?? ""
    let names = words == ["report"] ? "<report> ..." : "<verb> ..."
    usage = Self.forms(
      Bandolier.usageString(for: type).replacing("<subcommand>", with: names))
    examples = (type as? any WorkedExamples.Type)?.examples ?? []
    arguments = (dump["arguments"]?.array ?? []).compactMap { VerbArgument($0) }
    verbs = type.configuration.subcommands.compactMap { type in
      let name = type.configuration.commandName
      let dump = dump["subcommands"]?.array?.first { $0["commandName"]?.string == name }
      guard let name, let dump, dump["shouldDisplay"]?.boolean == true else { return nil }
      return VerbDescription(dump, type, words: words + [name])
    }
  }

  /// Returns the forms of a call; a line that starts with a space continues the one before it.
  private static func forms(_ usage: String) -> [String] {
    usage.split(separator: "\n").reduce(into: []) { forms, line in
      if line.hasPrefix(" "), let last = forms.last {
        forms[forms.count - 1] = "\(last) \(line.drop { $0 == " " })"
      } else {
        forms.append(String(line))
      }
    }
  }
}

/// An argument or an option of a verb.
struct VerbArgument {
  /// How it is written, such as `-o` and `--output`; empty for an argument that has no name.
  let names: [String]
  /// The name of its value; nil for a flag.
  let valueName: String?
  /// Whether it can be given more than once without its name.
  let isRepeating: Bool
  /// Its meaning, with its values and its default.
  let explanation: String

  /// Returns nil for one that help does not show either.
  init?(_ dump: JSONValue) {
    guard dump["shouldDisplay"]?.boolean == true else { return nil }
    names = Self.names(dump)
    valueName = dump["kind"]?.string == "flag" ? nil : dump["valueName"]?.string
    isRepeating = names.isEmpty && dump["isRepeating"]?.boolean == true
    let abstract = dump["abstract"]?.string ?? ""
    let values = (dump["allValues"]?.array ?? []).compactMap(\.string)
    var details: [String] = []
    // Many say what each of their values does.
    if !values.allSatisfy(abstract.contains) {
      details.append("values: \(values.joined(separator: ", "))")
    }
    if let usual = dump["defaultValue"]?.string, !abstract.contains("(default") {
      details.append("default: \(usual)")
    }
    explanation = details.isEmpty ? abstract : "\(abstract) (\(details.joined(separator: "; ")))"
  }

  /// Returns how an argument is written, the shortest form first.
  static func names(_ dump: JSONValue) -> [String] {
    (dump["names"]?.array ?? []).map { name in
      (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
    }.sorted { $0.count < $1.count }
  }
}
