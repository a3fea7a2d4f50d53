/// The features of decisions in few bytes: 12 for each that is not zero, and 8 for each vector. Equal ones are stored
/// once.
///
/// A context has one vector of features for all variants, or one for each variant.
public struct FeatureContexts: Sendable, Equatable {
  /// The number of columns.
  public let columns: Int
  /// The number of vectors of a context that has one for each variant; nil if all variants share one.
  public let variants: Int?
  private let vectorsPerContext: Int
  /// The features that are not zero: their columns and values, one vector after the other.
  private var numbers: [UInt32] = []
  private var values: [Double] = []
  /// The start of each vector, followed by the number of features.
  private var starts = [0]
  /// An open-addressing hash table: the index of a context plus one, 0 if free. At most half full.
  private var places = [UInt32](repeating: 0, count: 64)

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - variants: The number of variants, each of which has a vector; nil if all variants share one.
  public init(columns: Int, variants: Int? = nil) {
    self.columns = columns
    self.variants = variants
    vectorsPerContext = variants ?? 1
  }

  /// Creates an empty collection for the columns of a map.
  ///
  /// - Parameters:
  ///   - map: The columns; if none depends on the variant, all variants share a vector.
  ///   - variants: The number of variants.
  public init(_ map: FeatureMap, variants: Int) {
    self.init(
      columns: map.columnCount, variants: map.specification.isShared ? nil : variants)
  }

  /// The number of contexts.
  public var count: Int { (starts.count - 1) / vectorsPerContext }

  /// Adds a context, unless it is known.
  ///
  /// - Parameter vectors: One vector, or one for each variant; features beyond the columns are left out.
  /// - Returns: The index of the context.
  /// - Precondition: There are as many vectors as a context has.
  /// - Complexity: O(features) on average.
  public mutating func index(of vectors: [FeatureVector]) -> Int {
    precondition(vectors.count == vectorsPerContext, "vectors of another number of variants")
    for vector in vectors {
      for entry in vector.entries where entry.column < columns {
        numbers.append(UInt32(truncatingIfNeeded: entry.column))
        values.append(entry.value)
      }
      starts.append(numbers.count)
    }
    let new = count - 1
    var place = hash(new) & (places.count - 1)
    while places[place] != 0 {
      let known = Int(places[place]) - 1
      if order(known, new) == 0 {
        removeLast()
        return known
      }
      place = (place + 1) & (places.count - 1)
    }
    places[place] = UInt32(truncatingIfNeeded: new + 1)
    if count * 2 > places.count { grow() }
    return new
  }

  private mutating func removeLast() {
    starts.removeLast(vectorsPerContext)
    let kept = starts[starts.count - 1]
    numbers.removeLast(numbers.count - kept)
    values.removeLast(values.count - kept)
  }

  private mutating func grow() {
    places = Array(repeating: 0, count: places.count * 2)
    for index in 0..<count {
      var place = hash(index) & (places.count - 1)
      while places[place] != 0 { place = (place + 1) & (places.count - 1) }
      places[place] = UInt32(truncatingIfNeeded: index + 1)
    }
  }

  private func hash(_ context: Int) -> Int {
    var mixed: UInt64 = 0
    for vector in context * vectorsPerContext..<(context + 1) * vectorsPerContext {
      for index in starts[vector]..<starts[vector + 1] {
        mixed = (mixed ^ values[index].bitPattern ^ mixed >> 29) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ UInt64(numbers[index]) ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9
      }
      mixed = (mixed ^ mixed >> 31) &+ 1
    }
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 32) & 0x7FFF_FFFF_FFFF_FFFF)
  }

  /// Returns the indices in an order that depends on the features alone.
  func sortedIndices() -> [Int] { (0..<count).sorted { order($0, $1) < 0 } }

  /// Compares two contexts, feature by feature; 0 if they are equal.
  private func order(_ a: Int, _ b: Int) -> Int {
    for vector in 0..<vectorsPerContext {
      let (left, right) = (a * vectorsPerContext + vector, b * vectorsPerContext + vector)
      let (length, other) = (starts[left + 1] - starts[left], starts[right + 1] - starts[right])
      for offset in 0..<min(length, other) {
        let (x, y) = (starts[left] + offset, starts[right] + offset)
        if numbers[x] != numbers[y] { return numbers[x] < numbers[y] ? -1 : 1 }
        if values[x] != values[y] { return values[x] < values[y] ? -1 : 1 }
      }
      if length != other { return length < other ? -1 : 1 }
    }
    return 0
  }

  // MARK: Reading

  /// Writes the features of a variant, replacing what the vector held.
  func write(_ variant: Int, of context: Int, into vector: inout FeatureVector) {
    let index = context * vectorsPerContext + (variants == nil ? 0 : variant)
    vector.removeAll()
    for place in starts[index]..<starts[index + 1] {
      vector.append(Int(numbers[place]), values[place])
    }
  }

  /// Returns the features of a context as numbers, zeros included, as contextual policies take them.
  public func context(_ index: Int) -> Context {
    var context = Context()
    write(index, into: &context)
    return context
  }

  /// Writes the features of a context as numbers, zeros included.
  func write(_ index: Int, into context: inout Context) {
    context.number = index
    if variants == nil {
      write(index, &context.shared)
    } else {
      write(index, &context.variants)
    }
  }

  private func write(_ index: Int, _ numbers: inout [Double]) {
    let count = vectorsPerContext * columns
    if numbers.count == count {
      for place in numbers.indices { numbers[place] = 0 }
    } else {
      numbers = Array(repeating: 0, count: count)
    }
    for vector in 0..<vectorsPerContext {
      let source = index * vectorsPerContext + vector
      for place in starts[source]..<starts[source + 1] {
        numbers[vector * columns + Int(self.numbers[place])] = values[place]
      }
    }
  }

  /// Sets the numbers of features of a problem to those of the contexts.
  func describe(_ problem: inout Problem) {
    problem.sharedFeatures = variants == nil ? columns : 0
    problem.variantFeatures = variants == nil ? 0 : columns
  }

  /// Returns whether the contexts have the features of a problem.
  func fits(_ problem: Problem) -> Bool {
    var described = problem
    describe(&described)
    return described == problem && variants ?? problem.variants == problem.variants
  }
}
