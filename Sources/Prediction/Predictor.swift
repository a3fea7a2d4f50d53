public import Statistics

/// One of the predictors that have names, for code that lets its user choose.
public struct Predictor: OptionPredictor, CustomStringConvertible {
  /// The predictor itself.
  private enum Kind: Hashable, Sendable {
    case beauchamp, last, uniform
    case halfLife(HalfLife)
    case markov(Markov)
    case ppm(PartialMatching)
  }

  private let kind: Kind

  /// Confidence by plain counting: ``Beauchamp``.
  public static let beauchamp = Predictor(kind: .beauchamp)
  /// The option taken last: ``LastTaken``.
  public static let last = Predictor(kind: .last)
  /// The same for each: ``Uniform``.
  public static let uniform = Predictor(kind: .uniform)

  /// Counting in which the past fades: ``HalfLife``.
  ///
  /// - Throws: `SpecificationError` when the half-life is not in ``HalfLife/range``.
  public static func halfLife(days: Double = 5) throws(SpecificationError) -> Predictor {
    Predictor(kind: .halfLife(try HalfLife(days: days)))
  }

  /// What follows the last takes: ``Markov``.
  ///
  /// - Throws: `SpecificationError` when the order is not in ``Markov/range``.
  public static func markov(order: Int = 1) throws(SpecificationError) -> Predictor {
    Predictor(kind: .markov(try Markov(order: order)))
  }

  /// Prediction by partial matching: ``PartialMatching``.
  ///
  /// - Throws: `SpecificationError` when the order is not in ``PartialMatching/range``.
  public static func ppm(order: Int = 3) throws(SpecificationError) -> Predictor {
    Predictor(kind: .ppm(try PartialMatching(order: order)))
  }

  private init(kind: Kind) { self.kind = kind }

  /// The predictor that a specification names.
  ///
  /// - Throws: `SpecificationError`: there is none of that name, or it has no such parameter or value.
  public init(_ specification: Specification) throws(SpecificationError) {
    switch specification.name {
    case "beauchamp": self = .beauchamp
    case "last": self = .last
    case "uniform": self = .uniform
    case "half-life":
      let days = try specification.number("days", default: 5, in: HalfLife.range)
      self = try .halfLife(days: days)
    case "markov":
      self = try .markov(order: specification.integer("order", default: 1, in: Markov.range))
    case "ppm":
      let order = try specification.integer("order", default: 3, in: PartialMatching.range)
      self = try .ppm(order: order)
    default:
      let names = Predictors.all.map(\.name).joined(separator: ", ")
      throw SpecificationError(
        "there is no predictor \"\(specification.name)\"; choose one of \(names)")
    }
    let keys = Predictors.all.first { $0.name == specification.name }?.parameters.map(\.key)
    try specification.requireKeys(among: keys ?? [])
  }

  /// How the predictor is written, with all its parameters.
  public var specification: Specification { base.specification }

  /// The specification as it is written, such as `markov:order=1`.
  public var description: String { specification.description }

  /// No options.
  public var beginning: Learning { Learning(predictor: self, memory: Self.beginning(of: base)) }

  private static func beginning(of predictor: some OptionPredictor) -> any OptionLearning {
    predictor.beginning
  }

  private var base: any OptionPredictor {
    switch kind {
    case .beauchamp: Beauchamp()
    case .last: LastTaken()
    case .uniform: Uniform()
    case .halfLife(let predictor): predictor
    case .markov(let predictor): predictor
    case .ppm(let predictor): predictor
    }
  }

  /// Reads what the predictor has learned; nil when that is not sound or was learned with other parameters.
  fileprivate func memory<Key: CodingKey>(
    in container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> (any OptionLearning)? {
    switch kind {
    case .beauchamp: return try container.decode(Beauchamp.Learning.self, forKey: key)
    case .last: return try container.decode(LastTaken.Learning.self, forKey: key)
    case .uniform: return try container.decode(Uniform.Learning.self, forKey: key)
    case .halfLife(let predictor):
      let memory = try container.decode(HalfLife.Learning.self, forKey: key)
      return memory.days == predictor.days ? memory : nil
    case .markov(let predictor):
      let memory = try container.decode(Markov.Learning.self, forKey: key)
      return memory.order == predictor.order ? memory : nil
    case .ppm(let predictor):
      let memory = try container.decode(PartialMatching.Learning.self, forKey: key)
      return memory.order == predictor.order ? memory : nil
    }
  }
}

extension Predictor: Codable {
  /// Reads the specification as text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try Predictors.named(try container.decode(String.self))
    } catch let error as SpecificationError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Writes the specification as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Predictor {
  /// What a predictor has learned, with the predictor.
  public struct Learning: OptionLearning {
    /// Which predictor learns.
    public let predictor: Predictor
    private var memory: any OptionLearning

    fileprivate init(predictor: Predictor, memory: any OptionLearning) {
      self.predictor = predictor
      self.memory = memory
    }

    /// How many options there are now.
    public var optionCount: Int { memory.optionCount }

    /// Whether the parts fit each other.
    public var isSound: Bool { memory.isSound }

    /// Begins anew with these options.
    public mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
      memory.define(takes: takes, encounters: encounters, at: time)
    }

    /// Adds an option behind the others.
    public mutating func add(takes: Int, encounters: Int, at time: Int64?) {
      memory.add(takes: takes, encounters: encounters, at: time)
    }

    /// Replaces the counts of an option.
    public mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {
      memory.revise(option, takes: takes, encounters: encounters, at: time)
    }

    /// Counts further encounters.
    public mutating func raise(by encounters: Int, at time: Int64?) {
      memory.raise(by: encounters, at: time)
    }

    /// Removes an option.
    public mutating func remove(_ option: Int) { memory.remove(option) }

    /// An option was taken.
    public mutating func take(_ option: Int, at time: Int64?) { memory.take(option, at: time) }

    /// All options were encountered.
    public mutating func encounter(at time: Int64?) { memory.encounter(at: time) }

    /// Writes a confidence for each option into the buffer.
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      memory.forecast(into: &confidences, at: time)
    }

    /// Whether the same predictor has learned the same.
    public static func == (a: Learning, b: Learning) -> Bool {
      a.predictor == b.predictor && isEqual(a.memory, b.memory)
    }

    private static func isEqual<Memory: OptionLearning>(_ a: Memory, _ b: any OptionLearning)
      -> Bool
    {
      (b as? Memory) == a
    }

    private enum CodingKeys: String, CodingKey { case memory, predictor }

    /// Reads the predictor and what it has learned.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      predictor = try container.decode(Predictor.self, forKey: .predictor)
      guard let memory = try predictor.memory(in: container, forKey: .memory), memory.isSound else {
        throw DecodingError.dataCorruptedError(
          forKey: .memory, in: container, debugDescription: "does not fit \(predictor)")
      }
      self.memory = memory
    }

    /// Writes the predictor and what it has learned.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(predictor, forKey: .predictor)
      try container.encode(memory, forKey: .memory)
    }
  }
}
