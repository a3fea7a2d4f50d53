public import Specifications

/// The interval methods that a specification such as `bootstrap:replicates=1000` can name.
///
/// ``standard`` has the built-in ones. A program with methods of its own adds them with ``adding(_:)``.
public struct IntervalCatalog: Sendable {
  private let entries: [IntervalEntry]

  /// The built-in methods.
  public static let standard = IntervalCatalog(
    entries: [
      IntervalEntry(NormalInterval.self), IntervalEntry(StudentInterval.self),
      IntervalEntry(BootstrapInterval.self), IntervalEntry(EmpiricalBernsteinInterval.self),
      IntervalEntry(HoeffdingInterval.self), IntervalEntry(ClopperPearsonInterval.self),
      IntervalEntry(CressieReadInterval.self), IntervalEntry(ConfidenceSequence.self),
      IntervalEntry(BernsteinSequence.self), IntervalEntry(OffPolicySequence.self),
    ])

  /// Returns the catalog with a method added, replacing any method of the same name.
  ///
  /// - Parameter type: The type of the method.
  /// - Returns: The catalog in which ``named(_:)`` finds the method by the name in its ``IntervalMethod/info``.
  public func adding<M: IntervalMethod>(_ type: M.Type) -> IntervalCatalog {
    IntervalCatalog(
      entries: entries.filter { $0.info.name != type.info.name } + [IntervalEntry(type)])
  }

  /// The name, summary, parameters and citation of each method, sorted by name.
  public var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// Returns the method that a specification such as `normal` or `bootstrap:seed=2` describes.
  ///
  /// - Parameter text: A name from ``all``, with or without parameters.
  /// - Returns: The method.
  /// - Throws: ``SpecificationError`` if the name is unknown or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> any IntervalMethod {
    let specification = try Specification(parsing: text)
    guard let entry = entries.first(where: { $0.info.name == specification.name }) else {
      throw SpecificationError(
        NearestName.unknown("interval method", specification.name, among: all.map(\.name)))
    }
    try specification.requireKeys(among: entry.info.parameters.map(\.key))
    return try entry.make(specification)
  }
}

/// An interval method in a catalog: its description, and its initializer from a specification.
private struct IntervalEntry: Sendable {
  let info: SpecificationInfo
  let make: @Sendable (Specification) throws(SpecificationError) -> any IntervalMethod

  init<M: IntervalMethod>(_ type: M.Type) {
    info = M.info
    make = { (specification) throws(SpecificationError) in try M(specification) }
  }
}
