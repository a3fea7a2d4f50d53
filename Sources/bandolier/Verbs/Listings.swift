import ArgumentParser
import Bandits
import Interchange
import OffPolicy
import Prediction
import Specifications
import Tables

/// The policies that can be simulated.
enum PolicyListing: Listing {
  static let verb = "policies"
  static let noun = "policy"
  static let abstract = "List the policies by family, or print the page of one."

  static var entries: [SpecificationInfo] {
    PolicyCatalog.standard.byFamily + [LearnedChoices.listing.inFamily("learned from a log")]
  }

  static func example(of entry: SpecificationInfo) -> String {
    let simulation = """
      bandolier simulate -p \(entry.example.shellWord) \\
        -e \(environment(of: entry).shellWord) \\
        --horizon 1000 --runs 20
      """
    guard entry.name == LearnedChoices.info.name else { return simulation }
    return """
      bandolier learn datasets/storefront.log \\
        --experiment checkout-button --policy-class tabular \\
        -o policy.json
      \(simulation)
      """
  }

  /// Returns an environment that the example of a policy can be simulated in.
  private static func environment(of entry: SpecificationInfo) -> String {
    let log = "log:path=datasets/storefront.log,experiment="
    switch entry.name {
    // Their examples name variants by number.
    case Fixed.info.name, Conservative.info.name: return BernoulliEnvironment.info.example
    // It needs features of the variants.
    case LinUCBHybrid.info.name: return "linear:variants=9,features=10,contexts=variants"
    default:
      return log
        + (entry.family == "contextual" ? "homepage,features=one-hot(device)" : "checkout-button")
    }
  }
}

/// The environments that policies can be simulated in.
enum EnvironmentListing: Listing {
  static let verb = "environments"
  static let noun = "environment"
  static let abstract = "List the environments by family, or print the page of one."

  static var entries: [SpecificationInfo] { Environments.byFamily }

  static func example(of entry: SpecificationInfo) -> String {
    let isLog = entry.name == EmpiricalEnvironment.info.name
    let text = isLog ? "log:path=datasets/storefront.log,experiment=pricing" : entry.example
    return (table(for: entry).map { $0 + "\n" } ?? "") + """
      bandolier simulate -e \(text.shellWord) \\
        -p ucb1 -p epsilon-greedy --horizon 1000 --runs 20
      """
  }

  /// Returns a command that writes the file that the example reads; nil if it reads none.
  private static func table(for entry: SpecificationInfo) -> String? {
    switch entry.name {
    case SupervisedEnvironment.info.name:
      #"printf 'height,width,class\n1,2,a\n3,1,b\n' > examples.csv"#
    case AdversarialEnvironment.info.name: #"printf 'a,b\n0.1,0.9\n1,0\n' > rewards.csv"#
    default: nil
    }
  }
}

/// The estimators of `evaluate`.
enum EstimatorListing: Listing {
  static let verb = "estimators"
  static let noun = "estimator"
  static let abstract = "List the estimators of `evaluate` by family, or print the page of one."

  static var entries: [SpecificationInfo] { EstimatorCatalog.standard.byFamily }

  static func example(of entry: SpecificationInfo) -> String {
    """
    bandolier evaluate datasets/storefront.log \\
      --experiment homepage --policy uniform \\
      --estimator \(entry.example.shellWord)
    """
  }
}

/// The predictors of `predict`.
enum PredictorListing: Listing {
  static let verb = "predictors"
  static let noun = "predictor"
  static let abstract = "List the predictors of `predict` by family, or print the page of one."

  static var entries: [SpecificationInfo] { PredictorCatalog.standard.byFamily }

  static func example(of entry: SpecificationInfo) -> String {
    """
    bandolier generate studies --events 2000 --seed 1 --log studies.log
    bandolier report predictions studies.log \\
      --predictor \(entry.example.shellWord)
    """
  }
}

/// The formats that can be imported and exported.
enum FormatListing: Listing {
  static let verb = "formats"
  static let noun = "format"
  static let abstract = "List the formats that can be imported and exported, or print the page of one."

  static var entries: [SpecificationInfo] { FormatCatalog.standard.byFamily }

  /// The option that prints a format as a mapping.
  struct Extras: ParsableArguments {
    @Flag(name: .long, help: "Print what the format does as a mapping for import --map, to copy and change.")
    var mapping = false
  }

  static func text(about entry: SpecificationInfo?, _ extras: Extras) throws -> String? {
    guard extras.mapping else { return nil }
    if let entry, let mapping = FormatCatalog.standard.mapping(of: entry.name) { return mapping }
    let names = entries.filter(hasMapping).map(\.name).sorted()
    let reason = entry.map { "the records of \($0.name) need more than a mapping can say" } ?? "name a format"
    throw ValidationError("\(reason); --mapping prints those of \(names.joined(separator: ", "))")
  }

  private static func format(of entry: SpecificationInfo) -> (any ImportFormat.Type)? {
    FormatCatalog.standard.formats.first { $0.info.name == entry.name }
  }

  private static func isExported(_ entry: SpecificationInfo) -> Bool {
    let format = format(of: entry)
    return format is any ExportFormat.Type || format is any TableExportFormat.Type
      || format is any LogExportFormat.Type
  }

  private static func hasMapping(_ entry: SpecificationInfo) -> Bool {
    FormatCatalog.standard.mapping(of: entry.name) != nil
  }

  static func facts(about entry: SpecificationInfo) -> [(name: String, text: String)] {
    [
      ("told by", format(of: entry)?.recognition ?? ""),
      ("mapping", hasMapping(entry) ? "`bandolier formats \(entry.name) --mapping` prints it" : ""),
      ("export", isExported(entry) ? "yes: `bandolier export --format \(entry.name)`" : "no"),
    ]
  }

  static func table(of entries: [SpecificationInfo]) throws -> Table {
    var table = try Table(
      name: verb, title: "Formats",
      columns: [
        .key("format", .text, "the word for --format"),
        .measure("import", .flag, "whether it can be imported"),
        .measure("export", .flag, "whether it can be exported"),
        .measure("what", .text, "what it is"),
        .measure("told_by", .text, "how --format auto tells it from others"),
        .measure("documentation", .text, "where it is documented"),
        .measure("parameters", .text, "what can be given, as in --format obd:items=FILE"),
        .measure("example", .text, "a value of --format"),
      ])
    for info in entries {
      try table.append(row: [
        .text(info.name), .flag(true), .flag(isExported(info)), .text(info.summary),
        .text(format(of: info)?.recognition ?? ""), .text(info.source),
        .text(info.parameters.map { "\($0.key): \($0.meaning)" }.joined(separator: "; ")),
        .text(info.example),
      ])
    }
    return table.sorted()
  }

  static func example(of entry: SpecificationInfo) -> String {
    entry.name == JSONLines.info.name
      ? "bandolier import datasets/storefront.jsonl.gz --log shop.log"
      : "bandolier import FILE --format \(entry.example.shellWord) --log shop.log"
  }
}
