import ArgumentParser
import Reports
import Specifications
import Statistics

extension ComparisonPlanOptions {
  /// Parses shares of variants, such as A=0.7,B=0.3, or `none`, which is returned as no shares.
  static func shares(_ text: String) throws -> [String: Double] {
    guard text != "none" else { return [:] }
    let shares = ExpectedShares.parse(text) ?? []
    let byName = Dictionary(shares.map { ($0.name, $0.weight) }, uniquingKeysWith: { $1 })
    guard !byName.isEmpty, byName.count == shares.count else {
      throw ValidationError(
        "\"\(text)\" does not give shares; write VARIANT=SHARE,VARIANT=SHARE with each variant once, or none"
      )
    }
    return byName
  }

  /// Parses a normal prior, MEAN,SD.
  static func prior(_ text: String) throws -> ComparisonPlan.Prior {
    let numbers = WrittenValue.elements(text).compactMap { WrittenValue.number($0) }
    guard numbers.count == 2, WrittenValue.elements(text).count == 2 else {
      throw ValidationError(
        "\"\(text)\" is not a prior; write its mean and standard deviation, such as 0,0.1")
    }
    return .init(mean: numbers[0], standardDeviation: numbers[1])
  }

  /// Parses an interim look and the number of looks, such as 3/5.
  static func look(_ text: String) throws -> ComparisonPlan.Looks {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let look = Int(parts[0]), let count = Int(parts[1]) else {
      throw ValidationError(
        "\"\(text)\" is not a look; write its number and that of all looks, such as 3/5")
    }
    return .init(count: count, look: look, spending: .obrienFleming, spendingName: "lan-obf")
  }

  /// The forms of spending functions.
  static let spendings = ["lan-obf", "lan-pocock", "power=P with P above 0 and at most 10"]

  /// Parses a spending function and its name.
  static func spending(_ text: String) throws -> (GroupSequential.Spending, String) {
    switch text {
    case "lan-obf": return (.obrienFleming, text)
    case "lan-pocock": return (.pocock, text)
    default:
      guard text.hasPrefix("power="), let power = WrittenValue.number(text.dropFirst(6)), power > 0,
        power <= 10
      else {
        throw ValidationError(
          NearestName.unknown(
            "spending function", text, among: spendings))
      }
      return (.power(power), text)
    }
  }
}

/// A multiplicity correction of p-values, or `none`.
struct CorrectionArgument: ExpressibleByArgument {
  /// Nil for none.
  var multiplicity: Multiplicity?

  init() {}

  init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    multiplicity = Multiplicity(rawValue: argument)
  }

  var defaultValueDescription: String { "none" }

  static var allValueStrings: [String] { ["none"] + Multiplicity.allCases.map(\.rawValue) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
