/// A decision, a goal or a confirmation of a unit, in 24 bytes.
struct RewardEntry: Sendable {
  enum Kind: UInt32 {
    case decision = 0
    case provisional = 1
    case goal = 2
    case confirmation = 3
  }

  var unit: UInt32
  /// Code of the experiment, and in the two highest bits the kind. A log has fewer than 2^30 experiments
  /// by the size of the memory that holds their names.
  private var experimentAndKind: UInt32
  var time: Int64
  /// A goal's value as bits, for the others the index of an arm.
  var payload: UInt64

  init(unit: UInt32, experiment: UInt32, kind: Kind, time: Int64, payload: UInt64) {
    self.unit = unit
    experimentAndKind = experiment & 0x3FFF_FFFF | kind.rawValue << 30
    self.time = time
    self.payload = payload
  }

  var experiment: UInt32 { experimentAndKind & 0x3FFF_FFFF }
  var kind: Kind { Kind(rawValue: experimentAndKind >> 30) ?? .decision }
}

/// Gives arms dense indices, in order of first appearance.
struct ArmRegister: Sendable {
  /// The slot of a confirmation that is for every slot of its point.
  static let everySlot = UInt32.max

  private(set) var arms: [Arm] = []
  private var indices: [Arm: Int] = [:]

  mutating func index(of arm: Arm) -> Int {
    if let index = indices[arm] { return index }
    indices[arm] = arms.count
    arms.append(arm)
    return arms.count - 1
  }
}

/// The entries of each unit, in the order in which they came: a counting sort over the codes of units.
struct UnitOrder {
  private let starts: [UInt32]
  private let order: [UInt32]

  init(_ entries: [RewardEntry], _ partition: UnitPartition) {
    let parts = max(1, partition.count)
    let largest = entries.reduce(0) { max($0, $1.unit / parts) }
    var starts = [UInt32](repeating: 0, count: entries.isEmpty ? 1 : Int(largest) + 2)
    for entry in entries { starts[Int(entry.unit / parts) + 1] += 1 }
    for unit in 1..<max(1, starts.count) { starts[unit] += starts[unit - 1] }
    var next = starts
    var order = [UInt32](repeating: 0, count: entries.count)
    for (index, entry) in entries.enumerated() {
      let unit = Int(entry.unit / parts)
      order[Int(next[unit])] = UInt32(index)
      next[unit] += 1
    }
    self.starts = starts
    self.order = order
  }

  /// How many codes of units there are, those without an entry included.
  var unitCount: Int { starts.count - 1 }

  func entries(ofUnit unit: Int, from entries: [RewardEntry]) -> [RewardEntry] {
    order[Int(starts[unit])..<Int(starts[unit + 1])].map { entries[Int($0)] }
  }
}
