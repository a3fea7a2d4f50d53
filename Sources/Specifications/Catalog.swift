/// An entry of a ``Catalog``.
public protocol CatalogEntry: Sendable {
  /// The name, summary, parameters and citation.
  var info: SpecificationInfo { get }
  /// The type that has the name.
  var type: ObjectIdentifier { get }
}

/// The types that a specification such as `thompson:alpha=2` can name.
///
/// Each kind has a `standard` catalog with the built-in types; a program with types of its own adds them.
public struct Catalog<Entry: CatalogEntry>: Sendable {
  /// The kind of the entries, such as "policy", for messages.
  private let noun: String
  /// The entries in the order in which they were added.
  package let entries: [Entry]
  /// The families in the order of listings, each with the names of its entries.
  private var families: [(name: String, members: Set<String>)] = []

  /// Creates a catalog.
  ///
  /// - Parameters:
  ///   - noun: What the entries are, such as "policy", for messages.
  ///   - entries: The entries, with different names.
  package init(of noun: String, _ entries: [Entry]) {
    (self.noun, self.entries) = (noun, entries)
  }

  /// Creates a catalog of families.
  ///
  /// - Parameters:
  ///   - noun: What the entries are, such as "policy", for messages.
  ///   - families: The entries by family, in the order of listings.
  package init(of noun: String, families: KeyValuePairs<String, [Entry]>) {
    self.init(of: noun, families.flatMap(\.value))
    self.families = families.map { ($0, Set($1.map(\.info.name))) }
  }

  private func having(_ entries: [Entry]) -> Catalog {
    var catalog = Catalog(of: noun, entries)
    catalog.families = families
    return catalog
  }

  /// Returns the catalog with an entry added, which replaces any of the same name.
  package func adding(_ entry: Entry) -> Catalog {
    having(entries.filter { $0.info.name != entry.info.name } + [entry])
  }

  /// Returns the catalog with some of its entries.
  package func filter(_ isIncluded: (Entry) -> Bool) -> Catalog {
    having(entries.filter(isIncluded))
  }

  /// The name, summary, parameters, citation and family of each entry, sorted by name.
  public var all: [SpecificationInfo] {
    entries.map(\.info).sorted { $0.name < $1.name }.map { info in
      families.first { $0.members.contains(info.name) }.map { info.inFamily($0.name) } ?? info
    }
  }

  /// The same by family, in the order of listings; those without a family are last.
  package var byFamily: [SpecificationInfo] {
    let all = all
    return families.flatMap { family in all.filter { $0.family == family.name } } + all.filter(\.family.isEmpty)
  }

  /// Returns the entry of a name; `others` are further names that the error lists.
  ///
  /// - Throws: ``SpecificationError`` with the nearest name if there is none.
  package func entry(
    named name: String, besides others: [String] = []
  ) throws(SpecificationError) -> Entry {
    if let entry = entries.first(where: { $0.info.name == name }) { return entry }
    throw SpecificationError(NearestName.unknown(noun, name, among: others + all.map(\.name)))
  }
}

extension Catalog: Hashable {
  /// Whether both catalogs have the same types under the same names.
  public static func == (a: Catalog, b: Catalog) -> Bool { a.types == b.types }

  public func hash(into hasher: inout Hasher) { hasher.combine(types) }

  private var types: [String: ObjectIdentifier] {
    Dictionary(entries.map { ($0.info.name, $0.type) }, uniquingKeysWith: { a, _ in a })
  }
}

/// An entry that is a type of a kind, such as `any OffPolicyEstimator.Type`.
public struct TypeEntry<Kind: Sendable>: CatalogEntry {
  public let info: SpecificationInfo
  public let type: ObjectIdentifier
  package let made: Kind

  /// Creates the entry of a type, which is given as one of its kind and as what has parameters.
  package init(_ made: Kind, as type: any Specified.Type) {
    (info, self.type, self.made) = (type.listing, ObjectIdentifier(type), made)
  }
}

/// An entry that creates values of a type from specifications and what else their parameters are read from.
public struct SpecifiedEntry<Product, Sources: Sendable>: CatalogEntry {
  public let info: SpecificationInfo
  public let type: ObjectIdentifier
  package let make: @Sendable (Specification, Sources) throws(SpecificationError) -> Product

  /// Creates the entry of a type; `product` is `{ $0 }`, which makes it any type of its kind.
  package init<Made: Specified>(
    _ type: Made.Type, _ product: @escaping @Sendable (Made) -> Product
  ) where Made.ParameterSources == Sources {
    info = Made.listing
    self.type = ObjectIdentifier(type)
    make = { (specification, sources) throws(SpecificationError) in
      product(try Made(specification, sources))
    }
  }
}

extension Catalog {
  /// Returns what a text such as `linear:lambda=2` describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with or without parameters.
  ///   - sources: What parameters are read from besides the text.
  /// - Returns: What it describes.
  /// - Throws: ``SpecificationError`` if the name is unknown or a parameter is invalid.
  public func named<Product, Sources>(
    _ text: String, _ sources: Sources
  ) throws(SpecificationError) -> Product where Entry == SpecifiedEntry<Product, Sources> {
    try make(Specification(parsing: text), sources)
  }

  /// Returns what a specification describes.
  ///
  /// - Throws: ``SpecificationError`` if the name is unknown or a parameter is invalid.
  public func make<Product, Sources>(
    _ specification: Specification, _ sources: Sources
  ) throws(SpecificationError) -> Product where Entry == SpecifiedEntry<Product, Sources> {
    try entry(named: specification.name).make(specification, sources)
  }

  /// Returns what a text such as `linear:lambda=2` describes.
  ///
  /// - Throws: ``SpecificationError`` if the name is unknown or a parameter is invalid.
  public func named<Product>(
    _ text: String
  ) throws(SpecificationError) -> Product where Entry == SpecifiedEntry<Product, Void> {
    try named(text, ())
  }
}
