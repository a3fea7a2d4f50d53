internal import Bandits
public import Specifications

/// Groups of variants, whose probabilities the weights of `mips` compare.
///
/// A variant without a group is a group of its own.
public struct VariantGroups: Sendable, Equatable {
  /// The group of each variant that has one, by their names.
  let groups: [NameKey: NameKey]

  /// Creates groups, of variants by their names.
  public init(_ groups: [String: String] = [:]) {
    self.groups = Dictionary(
      groups.map { (NameKey($0.key), NameKey($0.value)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name of a variant's group; nil if it has none.
  public func group(of variant: String) -> String? { groups[NameKey(variant)]?.text }

  /// Parses a CSV text with the columns `variant` and `group`; others are ignored.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name in error messages, such as the file's path.
  /// - Throws: `SpecificationError` if a column is missing, a field is empty, or a variant is in two groups.
  public init(csv text: String, name: String) throws(SpecificationError) {
    let table = try CSVTable(text, name: name)
    guard let variant = table.heading.firstIndex(of: "variant"),
      let group = table.heading.firstIndex(of: "group")
    else {
      throw SpecificationError(
        "\(name) needs the columns variant and group; it has "
          + table.heading.joined(separator: ", "))
    }
    var groups: [NameKey: NameKey] = [:]
    for (fields, line) in zip(table.rows, table.lines) {
      guard !fields[variant].isEmpty, !fields[group].isEmpty else {
        throw SpecificationError("\(name), line \(line): variant and group must not be empty")
      }
      let own = NameKey(fields[group])
      let other = groups.updateValue(own, forKey: NameKey(fields[variant]))
      guard other == nil || other == own else {
        throw SpecificationError(
          "\(name), line \(line): \"\(fields[variant])\" is in the group \"\(other?.text ?? "")\" already; "
            + "remove one of the lines")
      }
    }
    self.groups = groups
  }
}
