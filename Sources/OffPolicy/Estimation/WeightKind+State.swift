public import Specifications

/// A kind is stored as its place among all of them.
extension WeightKind: StateKey {
  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  public static func < (a: WeightKind, b: WeightKind) -> Bool { a.place < b.place }

  public func write(to writer: inout StateWriter) { writer.write(UInt64(place)) }

  /// Reads a kind.
  ///
  /// - Throws: `StateError` if there is no such kind.
  public init(from reader: inout StateReader, _ space: CodeSpace) throws(StateError) {
    self = Self.allCases[try reader.readCount(below: Self.allCases.count)]
  }
}
