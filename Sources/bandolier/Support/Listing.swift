import ArgumentParser
import Specifications
import Tables

/// A catalog that a verb lists, such as the policies.
protocol Listing {
  /// The options that only this verb has.
  associatedtype Extras: ParsableArguments = NoExtras
  /// The verb, which is the plural of the noun.
  static var verb: String { get }
  /// The noun for an entry, such as `policy`.
  static var noun: String { get }
  /// The line for the verb in help.
  static var abstract: String { get }
  /// The entries, by family.
  static var entries: [SpecificationInfo] { get }
  /// Returns a table of entries for other programs.
  static func table(of entries: [SpecificationInfo]) throws -> Table
  /// Returns further facts about an entry, for its page.
  static func facts(about entry: SpecificationInfo) -> [(name: String, text: String)]
  /// Returns a command that shows an entry at work and runs in the root of the repository; of several lines where it
  /// is long.
  static func example(of entry: SpecificationInfo) -> String
  /// Returns what is printed in place of the page of an entry, or of the list; nil if the options ask for neither.
  static func text(about entry: SpecificationInfo?, _ extras: Extras) throws -> String?
}

/// The options of a verb that has no others than all that list.
struct NoExtras: ParsableArguments {}

extension Listing {
  static func facts(about entry: SpecificationInfo) -> [(name: String, text: String)] { [] }

  static func text(about entry: SpecificationInfo?, _ extras: Extras) throws -> String? { nil }

  static func table(of entries: [SpecificationInfo]) throws -> Table {
    try SpecificationTable.table(
      of: entries, name: verb, title: "\(verb.prefix(1).uppercased())\(verb.dropFirst())")
  }
}

/// The verb that lists a catalog, or prints the page of one of its entries.
struct ListingVerb<Listed: Listing>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Listed.verb, abstract: Listed.abstract,
      usage: "bandolier \(Listed.verb) [<\(Listed.noun)>] [<options>]")
  }

  @Argument(
    help: ArgumentHelp(
      "Print the page of this one: what it is, its parameters with ranges and defaults, the source and an example.",
      valueName: Listed.noun), completion: .list(Listed.entries.map(\.name)))
  var name: String?

  @OptionGroup var extras: Listed.Extras

  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    if let name, entry == nil {
      throw ValidationError(
        NearestName.unknown(Listed.noun, name, among: Listed.entries.map(\.name).sorted()))
    }
    _ = try Listed.text(about: entry, extras)
  }

  /// The entry of the name; a specification such as `thompson:alpha=2` names one too.
  private var entry: SpecificationInfo? {
    let name = name?.prefix { $0 != ":" }
    return Listed.entries.first { $0.name == name ?? "" }
  }

  func run() throws {
    if let text = try Listed.text(about: entry, extras) {
      try output.output.withSink { try $0.append(Array(text.utf8)) }
    } else if let entry {
      try output.write(Listed.table(of: [entry])) { ListingPage($0).page(of: entry, Listed.self) }
    } else {
      try output.write(Listed.table(of: Listed.entries)) { ListingPage($0).list(of: Listed.self) }
    }
  }
}

extension ListingVerb: WorkedExamples {
  static var examples: [String] {
    let name = Listed.entries.first { !$0.parameters.isEmpty }?.name ?? ""
    return [
      "bandolier \(Listed.verb)", "bandolier \(Listed.verb) \(name)",
      "bandolier \(Listed.verb) --format csv -o \(Listed.verb).csv",
    ]
  }
}
