/// What is in a file of a ``SimulatedDisk``: what a reader sees, what is on the platter, and the changes
/// since the last sync that are on their way from one to the other.
struct SimulatedContent {
  enum Change {
    case write(offset: Int, bytes: [UInt8])
    case cut(to: Int)
  }

  /// What reading gives.
  private(set) var seen: [UInt8] = []
  /// What a power cut cannot take away.
  private(set) var durable: [UInt8] = []
  /// Changes since the last sync, in the order in which they were made.
  private(set) var pending: [Change] = []

  mutating func change(_ change: Change) {
    Self.apply(change, to: &seen)
    pending.append(change)
  }

  /// A sync that covers the first of the pending changes: those from before it began.
  mutating func sync(first count: Int) {
    for change in pending.prefix(count) { Self.apply(change, to: &durable) }
    pending.removeFirst(min(count, pending.count))
  }

  /// A sync that failed. Either nothing happened; or each change reached the disk or was dropped, and
  /// reading still shows what was dropped, and no later sync writes it: Linux marks the pages clean (A.
  /// Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020).
  mutating func failSync(using random: inout SeededGenerator) {
    guard random.chance(0.7) else { return }
    for change in pending where random.chance(0.5) { Self.apply(change, to: &durable) }
    pending = []
  }

  /// What may be in the file after a power cut: any subset of the changes since the last sync, each write
  /// whole, torn, or as zeros. Which of two overlapping writes is on the disk is a matter of the subset,
  /// so applying it in the order of issue covers every order of writing back.
  func afterPowerCut(_ luck: Luck, using random: inout SeededGenerator) -> SimulatedContent {
    var bytes = durable
    for change in pending {
      switch luck {
      case .everythingKept: Self.apply(change, to: &bytes)
      case .everythingLost: break
      case .chance:
        guard case .write(let offset, let data) = change else {
          if random.chance(0.5) { Self.apply(change, to: &bytes) }
          continue
        }
        Self.writePartly(data, at: offset, to: &bytes, using: &random)
      }
    }
    return SimulatedContent(seen: bytes, durable: bytes, pending: [])
  }

  /// How a power cut treats what was not synced.
  enum Luck {
    case everythingKept, everythingLost, chance

    static func draw(using random: inout SeededGenerator) -> Luck {
      switch random.index(10) {
      case 0: .everythingKept
      case 1: .everythingLost
      default: .chance
      }
    }
  }

  private static func writePartly(
    _ data: [UInt8], at offset: Int, to bytes: inout [UInt8], using random: inout SeededGenerator
  ) {
    let end = offset + data.count
    switch random.index(8) {
    case 0, 1: apply(.write(offset: offset, bytes: data), to: &bytes)
    case 2, 3: break
    case 4:
      // The size reached the disk, the data did not; or a whole block of zeros, as if preallocated.
      extend(&bytes, to: random.chance(0.5) ? end : (end + 4_095) & ~4_095)
    default: tear(data, at: offset, to: &bytes, using: &random)
    }
  }

  /// Writes some of the sectors or pages that the write touches: those up to one, those from one on, or
  /// any. A sector is written whole or not at all.
  private static func tear(
    _ data: [UInt8], at offset: Int, to bytes: inout [UInt8], using random: inout SeededGenerator
  ) {
    guard !data.isEmpty else { return }
    let unit = random.chance(0.7) ? 512 : 4_096
    let end = offset + data.count
    let units = Array(offset / unit...(end - 1) / unit)
    let border = random.pick(units, or: 0)
    let shape = random.index(3)
    if random.chance(0.5) { extend(&bytes, to: end) }
    for number in units {
      let isWritten =
        switch shape {
        case 0: number < border
        case 1: number >= border
        default: random.chance(0.5)
        }
      guard isWritten else { continue }
      let from = max(offset, number * unit)
      let part = data[from - offset..<min(end, (number + 1) * unit) - offset]
      apply(.write(offset: from, bytes: Array(part)), to: &bytes)
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let data):
      extend(&bytes, to: offset + data.count)
      bytes.replaceSubrange(offset..<offset + data.count, with: data)
    case .cut(let size):
      bytes.removeLast(max(0, bytes.count - size))
      extend(&bytes, to: size)
    }
  }

  private static func extend(_ bytes: inout [UInt8], to size: Int) {
    if bytes.count < size {
      bytes.append(contentsOf: [UInt8](repeating: 0, count: size - bytes.count))
    }
  }
}
