import TestSupport

@testable import EventLog

/// Damages the files of a log at random, in all the ways in which disks, copies and people do it.
struct RandomDamage {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// What was done to which file, for messages.
  private(set) var words: [String] = []

  /// Damages one to four places of the files, which are those of a log by their names.
  mutating func apply(to files: inout [String: [UInt8]], frames: [String: [Range<Int>]]) {
    for _ in 0..<1 + random.index(4) {
      let segments = frames.keys.sorted()
      let all = files.keys.sorted()
      // Segments are where events are; HEAD is damaged too, now and then.
      let name = random.pick(random.chance(0.85) ? segments : all, or: "")
      guard let count = files[name]?.count, count > 0 else { continue }
      switch random.index(10) {
      case 0: flip(1 + random.index(8), in: name, &files)
      case 1: flipNeighbours(name, frames[name] ?? [], &files)
      case 2: fill(name, with: 0, &files)
      case 3: fill(name, with: nil, &files)
      case 4: cut(name, &files)
      case 5: swapRanges(name, random.pick(segments, or: name), &files)
      case 6: copyRange(name, from: random.pick(segments, or: name), &files)
      case 7: swapFrames(name, frames, &files)
      case 8: insertOrDelete(name, &files)
      default: flip(1, in: name, &files)
      }
    }
  }

  private mutating func place(in count: Int) -> Range<Int> {
    let start = random.index(count)
    let longest = random.chance(0.5) ? 64 : 4_096
    return start..<min(count, start + 1 + random.index(longest))
  }

  private mutating func flip(_ bits: Int, in name: String, _ files: inout [String: [UInt8]]) {
    for _ in 0..<bits {
      let place = random.index(files[name]?.count ?? 1)
      files[name]?[place] ^= 1 << UInt8(random.index(8))
      words.append("a bit of byte \(place) of \(name)")
    }
  }

  /// A bit in the header or the directory of each of some frames that follow each other.
  private mutating func flipNeighbours(
    _ name: String, _ frames: [Range<Int>], _ files: inout [String: [UInt8]]
  ) {
    guard !frames.isEmpty else { return }
    let first = random.index(frames.count)
    for frame in frames[first..<min(frames.count, first + 2 + random.index(3))] {
      let place = frame.lowerBound + (random.chance(0.8) ? 128 : 0) + random.index(128)
      guard place < files[name]?.count ?? 0 else { continue }
      files[name]?[place] ^= 1 << UInt8(random.index(8))
      words.append("a bit of byte \(place) of \(name)")
    }
  }

  private mutating func fill(
    _ name: String, with byte: UInt8?, _ files: inout [String: [UInt8]]
  ) {
    let place = place(in: files[name]?.count ?? 1)
    for index in place { files[name]?[index] = byte ?? UInt8(random.index(256)) }
    words.append("bytes \(place) of \(name)")
  }

  private mutating func cut(_ name: String, _ files: inout [String: [UInt8]]) {
    let count = files[name]?.count ?? 1
    let cut = random.chance(0.3) ? random.index(count) : min(count, 1 + random.index(600))
    files[name]?.removeLast(cut)
    words.append("the last \(cut) bytes of \(name)")
  }

  private mutating func swapRanges(
    _ name: String, _ other: String, _ files: inout [String: [UInt8]]
  ) {
    guard let a = files[name], let b = files[other], !b.isEmpty else { return }
    let length = 8 * (1 + random.index(64))
    guard a.count > length, b.count > length else { return }
    let (x, y) = (
      8 * random.index((a.count - length) / 8 + 1), 8 * random.index((b.count - length) / 8 + 1)
    )
    let (xs, ys) = (Array(a[x..<x + length]), Array(b[y..<y + length]))
    files[name]?.replaceSubrange(x..<x + length, with: ys)
    files[other]?.replaceSubrange(y..<y + length, with: xs)
    words.append("\(length) bytes at \(x) of \(name) and at \(y) of \(other)")
  }

  private mutating func copyRange(
    _ name: String, from other: String, _ files: inout [String: [UInt8]]
  ) {
    guard let count = files[name]?.count, let source = files[other], !source.isEmpty else { return }
    let from = place(in: source.count)
    let start = random.index(count)
    let end = random.chance(0.5) ? start : min(count, start + from.count)
    files[name]?.replaceSubrange(start..<end, with: source[from])
    words.append("bytes \(from) of \(other) at \(start)..<\(end) of \(name)")
  }

  /// Puts a frame in another's place, or between two others, or swaps two.
  private mutating func swapFrames(
    _ name: String, _ frames: [String: [Range<Int>]], _ files: inout [String: [UInt8]]
  ) {
    let other = random.pick(frames.keys.sorted(), or: name)
    guard let a = frames[name]?.randomElement(using: &random),
      let b = frames[other]?.randomElement(using: &random),
      let count = files[name]?.count, let source = files[other],
      a.upperBound <= count, b.upperBound <= source.count
    else { return }
    let bytes = Array(source[b])
    switch random.index(3) {
    case 0:
      files[name]?.insert(contentsOf: bytes, at: a.lowerBound)
    case 1 where a.lowerBound != b.lowerBound || name != other:
      if name == other, a.lowerBound < b.lowerBound {
        files[name]?.replaceSubrange(b, with: source[a])
        files[name]?.replaceSubrange(a, with: bytes)
      } else if name != other, let own = files[name] {
        files[other]?.replaceSubrange(b, with: own[a])
        files[name]?.replaceSubrange(a, with: bytes)
      }
    default: files[name]?.replaceSubrange(a, with: bytes)
    }
    words.append("frame \(b) of \(other) and frame \(a) of \(name)")
  }

  private mutating func insertOrDelete(_ name: String, _ files: inout [String: [UInt8]]) {
    let place = place(in: files[name]?.count ?? 1)
    if random.chance(0.5) {
      files[name]?.removeSubrange(place)
      words.append("bytes \(place) of \(name) are gone")
    } else {
      let bytes = place.map { _ in random.chance(0.5) ? 0 : UInt8(random.index(256)) }
      files[name]?.insert(contentsOf: bytes, at: place.lowerBound)
      words.append("\(bytes.count) bytes at \(place.lowerBound) of \(name) are new")
    }
  }
}
