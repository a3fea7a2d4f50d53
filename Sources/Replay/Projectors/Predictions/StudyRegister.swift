internal import EventLog
internal import Events

/// Assigns dense indices to the options of studies, and to the lists of choices of decisions, in order of first
/// appearance.
struct StudyRegister: Sendable {
  /// Marks a value that names no option.
  private static let nameless = UInt32.max

  // MARK: Options of studies

  /// The studies that some unit encountered, by the codes of their names. They are known whether or not a unit took an
  /// option, so that the counts of a unit do not depend on others.
  private(set) var encountered: Set<UInt32> = []
  private var lastEncountered: UInt32?

  private var nameRegister = Register<VariantID>()
  /// By option, the code of its study, and the index of its name.
  private(set) var options = CodeIndex()
  /// By number of a value in the batch, the index of its name plus one; 0 if it has not been looked up.
  private var batchNames: [UInt32] = []
  private var last: (key: UInt64, option: UInt32)?

  // MARK: Options of decisions

  /// The arms of decisions, including those not chosen, and those of confirmations.
  var arms = ArmRegister()
  private var offerRegister = Register<[UInt32]>()
  /// The pairs of arm and list number of the batch.
  private var batchKeys = CodeIndex()
  private var batchOffers: [UInt32] = []

  /// Creates an empty register.
  init() {}

  /// The distinct names of options, whatever study they are in.
  var names: [VariantID] { nameRegister.values }

  /// The lists of choices of decisions, as arms, in their logged order.
  var offers: [[UInt32]] { offerRegister.values }

  /// Forgets the numbers of values and lists in the current batch, because the next batch numbers them anew.
  mutating func beginBatch() {
    batchNames.removeAll(keepingCapacity: true)
    batchOffers.removeAll(keepingCapacity: true)
    batchKeys = CodeIndex()
  }

  /// Returns the index of the option of a study that a value of a batch names; nil if it names none.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  mutating func option(
    _ study: UInt32, _ attributes: [AttributeColumn], _ column: Int, _ number: UInt32
  ) -> UInt32? {
    if Int(number) >= batchNames.count || batchNames[Int(number)] == 0 {
      name(attributes[column], number)
    }
    let name = batchNames[Int(number)]
    guard name != Self.nameless else { return nil }
    return option(study, name: name - 1)
  }

  /// Returns the index of the option of a study, by name.
  mutating func option(_ study: UInt32, _ name: VariantID) -> UInt32 {
    option(study, name: nameRegister.index(of: name))
  }

  @inline(__always)
  private mutating func option(_ study: UInt32, name: UInt32) -> UInt32 {
    let key = UInt64(study) << 32 | UInt64(name)
    if let last, last.key == key { return last.option }
    let option = UInt32(truncatingIfNeeded: options.index(of: key))
    last = (key, option)
    return option
  }

  private mutating func name(_ column: AttributeColumn, _ number: UInt32) {
    let more = max(Int(number), column.valueCount) + 1 - batchNames.count
    if more > 0 { batchNames.append(contentsOf: repeatElement(0, count: more)) }
    let name = column.value(number).map(Self.name) ?? ""
    batchNames[Int(number)] =
      name.rawValue.isEmpty ? Self.nameless : nameRegister.index(of: name) + 1
  }

  /// Returns the option that a value names; logs from other systems may hold a number.
  static func name(_ value: AttributeValue) -> VariantID {
    switch value {
    case .text(let text): VariantID(text)
    case .flag(let flag): VariantID(flag ? "true" : "false")
    case .integer(let integer): VariantID(String(integer))
    case .number(let number): VariantID(Int64(exactly: number).map(String.init) ?? "\(number)")
    }
  }

  /// Returns the index of the choices of a row's decision, plus one; 0 if they were not logged.
  mutating func offer(_ batch: EventBatch, _ row: Int, _ chosen: UInt32) -> UInt32 {
    let list = batch.choices.codes[row]
    guard list != 0 else { return 0 }
    let place = batchKeys.index(of: UInt64(chosen) << 32 | UInt64(list))
    if place == batchOffers.count {
      var arm = arms.arms[Int(chosen)]
      let offer = batch.choices.variants(of: list).map { variant in
        arm.variant = variant
        return arms.index(of: arm)
      }
      batchOffers.append(offerRegister.index(of: offer))
    }
    return batchOffers[place] + 1
  }
}

extension StudyRegister {
  /// Adds a study that was encountered.
  @inline(__always)
  mutating func encounter(_ study: UInt32) {
    guard study != lastEncountered else { return }
    lastEncountered = study
    encountered.insert(study)
  }
}

extension StudyRegister {
  /// Maps each index of a register to one in another.
  struct Translation: Sendable {
    fileprivate(set) var options: [UInt32] = []
    fileprivate(set) var arms: [UInt32] = []
    fileprivate(set) var offers: [UInt32] = []
  }

  /// Adds the contents of another register.
  mutating func add(_ other: StudyRegister) -> Translation {
    var translation = Translation()
    encountered.formUnion(other.encountered)
    for key in other.options.keys {
      let name = other.names[Int(UInt32(truncatingIfNeeded: key))]
      translation.options.append(option(UInt32(truncatingIfNeeded: key >> 32), name))
    }
    translation.arms = other.arms.arms.map { arms.index(of: $0) }
    for offer in other.offers {
      translation.offers.append(
        offerRegister.index(of: offer.map { translation.arms[Int($0)] }))
    }
    return translation
  }
}
