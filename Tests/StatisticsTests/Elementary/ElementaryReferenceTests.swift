import Foundation
import Statistics
import Testing

/// The values that `references.py` computed for one function.
private struct ReferenceFile {
  /// An argument, the nearest Double to its value, and what the value is above that in units in the last place.
  struct Entry {
    var x: Double
    var y = 0.0
    var value: Double
    var rest: Double
  }

  private(set) var entries: [Entry] = []

  init(_ name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let file = folder.appendingPathComponent("References/\(name).txt")
    var arguments: [(Double, Double)] = []
    var number: UInt64 = 0
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "range":
        arguments = try Self.arguments(words, seed: number)
        number += 1
      case "at":
        let bits = try words.dropFirst().map { try #require(UInt64($0, radix: 16)) }
        let values = bits.map { Double(bitPattern: $0) } + [0]
        arguments = [(values[0], values[1])]
      default: try read(words[0], &arguments)
      }
    }
    #expect(arguments.isEmpty)
  }

  /// The arguments that a range stands for, last first.
  private static func arguments(_ words: [String], seed: UInt64) throws -> [(Double, Double)] {
    var random = SplitMix64(seed: seed)
    let spans = try stride(from: 1, to: words.count - 1, by: 3).map { start in
      (
        low: try #require(UInt64(words[start], radix: 16)),
        high: try #require(UInt64(words[start + 1], radix: 16)),
        isSigned: words[start + 2] == "signed"
      )
    }
    let count = try #require(words.last.flatMap { Int($0) })
    return (0..<count).map { _ in
      let values = spans.map { span in
        let word = random.next()
        let x = Double(bitPattern: span.low + (word >> 1) % (span.high - span.low))
        return span.isSigned && word & 1 == 1 ? -x : x
      }
      return (values[0], values.count > 1 ? values[1] : 0)
    }.reversed()
  }

  private mutating func read(_ line: String, _ arguments: inout [(Double, Double)]) throws {
    var rest = Substring(line)
    while !rest.isEmpty {
      let bits = try #require(UInt64(rest.prefix(16), radix: 16))
      let digits = rest.dropFirst(16).prefix(2)
      let part = Double(try #require(UInt64(digits, radix: 16)))
      let next = arguments.popLast()
      let (x, y) = try #require(next)
      entries.append(
        Entry(x: x, y: y, value: Double(bitPattern: bits), rest: (part - 128) / 250))
      rest = rest.dropFirst(18)
    }
  }
}

extension Double {
  /// The distance from a true value, in units in the last place of the Double nearest to it.
  fileprivate func error(_ value: Double, _ rest: Double) -> Double {
    if value.isInfinite || isInfinite || isNaN { return self == value ? 0 : .infinity }
    return abs((self - value) / value.ulp - rest)
  }
}

@Suite("Elementary functions against 400-bit arithmetic")
struct ElementaryReferenceTests {
  @Test("errors are within the documented bounds", arguments: ElementaryFunction.functions)
  func accuracy(function: ElementaryFunction) throws {
    let entries = try ReferenceFile(function.name).entries
    #expect(entries.count > 1_600)
    var (worst, argument) = (0.0, (0.0, 0.0))
    for entry in entries {
      let error = function.evaluate(entry.x, entry.y).error(entry.value, entry.rest)
      if error > worst { (worst, argument) = (error, (entry.x, entry.y)) }
    }
    print("\(function.name): at most \(worst) ulp, at \(argument), of \(entries.count) values")
    #expect(function.bound < 1)
    #expect(worst <= function.bound, "\(argument)")
  }

  @Test("every bit is what it was", arguments: ElementaryFunction.functions)
  func golden(function: ElementaryFunction) {
    let hash = function.hash
    #expect(hash == function.golden, "0x\(String(hash, radix: 16))")
  }
}
