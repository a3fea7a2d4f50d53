/// A value of a FlatBuffer that is stored out of line: what ``FlatBuffer`` writes.
indirect enum FlatNode {
  /// A table; slots are the fields in the order of their ids.
  case table([FlatSlot])
  /// A UTF-8 text.
  case text(String)
  /// A vector of tables or texts.
  case nodes([FlatNode])
  /// A vector of structs of 8-byte integers, or of 8-byte integers.
  case words([Int64], perElement: Int)
}

/// A field of a table.
enum FlatSlot {
  /// The default value, which is not stored.
  case absent
  /// A byte, an enumeration or the type of a union.
  case byte(UInt8)
  /// A 16-bit integer.
  case short(Int16)
  /// A 32-bit integer.
  case int(Int32)
  /// A 64-bit integer.
  case long(Int64)
  /// A value out of line.
  case node(FlatNode)

  /// The number of bytes in the table, which is also the alignment.
  var size: Int {
    switch self {
    case .absent: 0
    case .byte: 1
    case .short: 2
    case .int, .node: 4
    case .long: 8
    }
  }
}

/// Writes FlatBuffers, the encoding of Arrow's metadata: little-endian, front to back, every value aligned to its size.
struct FlatBuffer {
  private(set) var bytes: [UInt8] = []

  /// Writes a buffer with a root table.
  init(root: FlatNode) {
    append(UInt32(0))
    let place = write(root)
    patch(UInt32(place), at: 0)
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    var value = value
    for _ in 0..<value.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: value))
      value >>= 8
    }
  }

  private mutating func patch(_ value: UInt32, at place: Int) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  private mutating func align(to size: Int, after count: Int = 0) {
    while (bytes.count + count) % size != 0 { bytes.append(0) }
  }

  /// Writes a value and returns its position.
  private mutating func write(_ node: FlatNode) -> Int {
    switch node {
    case .table(let slots): return write(slots)
    case .text(let text):
      align(to: 4)
      let place = bytes.count
      append(UInt32(text.utf8.count))
      bytes.append(contentsOf: text.utf8)
      bytes.append(0)
      return place
    case .nodes(let nodes):
      align(to: 4)
      let place = bytes.count
      append(UInt32(nodes.count))
      for _ in nodes { append(UInt32(0)) }
      for (index, node) in nodes.enumerated() { link(place + 4 + 4 * index, to: node) }
      return place
    case .words(let words, let perElement):
      align(to: 8, after: 4)
      let place = bytes.count
      append(UInt32(words.count / perElement))
      for word in words { append(word) }
      return place
    }
  }

  /// Writes a value out of line, and its distance at the place that refers to it.
  private mutating func link(_ place: Int, to node: FlatNode) {
    let target = write(node)
    patch(UInt32(target - place), at: place)
  }

  /// Writes a table behind its virtual table, largest fields first.
  private mutating func write(_ slots: [FlatSlot]) -> Int {
    var offsets = [Int](repeating: 0, count: slots.count)
    var size = 4
    for width in [8, 4, 2, 1] {
      for (index, slot) in slots.enumerated() where slot.size == width {
        size += (width - size % width) % width
        offsets[index] = size
        size += width
      }
    }
    let virtualSize = 4 + 2 * slots.count
    align(to: 8, after: virtualSize + virtualSize % 4)
    let virtual = bytes.count + virtualSize % 4
    if virtualSize % 4 != 0 { append(UInt16(0)) }
    append(UInt16(virtualSize))
    append(UInt16(size))
    for offset in offsets { append(UInt16(offset)) }
    let place = bytes.count
    append(Int32(place - virtual))
    bytes.append(contentsOf: repeatElement(0, count: size - 4))
    for (slot, offset) in zip(slots, offsets) { fill(slot, at: place + offset) }
    return place
  }

  private mutating func fill(_ slot: FlatSlot, at place: Int) {
    switch slot {
    case .absent: break
    case .byte(let value): bytes[place] = value
    case .short(let value): store(value, at: place)
    case .int(let value): store(value, at: place)
    case .long(let value): store(value, at: place)
    case .node(let node): link(place, to: node)
    }
  }

  private mutating func store(_ value: some FixedWidthInteger, at place: Int) {
    for index in 0..<value.bitWidth / 8 {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }
}
