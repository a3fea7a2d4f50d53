internal import EventLog

/// Dense codes for the pairs of experiments and variants of a log: the product of both if there are few pairs,
/// otherwise numbered in the order of their first appearance, after the pair without names.
struct PairCodes: Sendable {
  /// The maximum number of pairs that are given codes in advance.
  private static let largestCount: UInt64 = 1 << 14

  private let variantLimit: UInt64
  private let beforehand: UInt32?
  private var index = CodeIndex()
  /// The codes of the rows of the last batch.
  private(set) var codes: [UInt32] = []

  init(experiments: UInt32, variants: UInt32) {
    variantLimit = UInt64(max(1, variants))
    let count = UInt64(max(1, experiments)) * variantLimit
    beforehand = count <= Self.largestCount ? UInt32(count) : nil
    // Rows that have no variant count for code 0, which is therefore that of the pair without names.
    _ = index.index(of: 0)
  }

  /// One more than the largest code.
  var limit: UInt32 { beforehand ?? UInt32(index.keys.count) }

  /// Whether the code of a pair is that of the experiment times the limit of variants, plus that of the variant.
  var areNumberedBeforehand: Bool { beforehand != nil }

  /// Finds the codes of the pairs of a batch.
  mutating func load(_ batch: EventBatch) {
    if codes.count != batch.count {
      codes.removeAll(keepingCapacity: true)
      codes.append(contentsOf: repeatElement(0, count: batch.count))
    }
    guard beforehand == nil else { return multiply(batch) }
    for row in 0..<batch.count {
      codes[row] = code(of: batch.experiments[row], batch.variants[row])
    }
  }

  private mutating func multiply(_ batch: EventBatch) {
    let limit = UInt32(truncatingIfNeeded: variantLimit)
    let count = min(codes.count, batch.experiments.count, batch.variants.count)
    // Safety: every index is below the counts of all three.
    unsafe codes.withUnsafeMutableBufferPointer { codes in
      unsafe batch.experiments.withUnsafeBufferPointer { experiments in
        unsafe batch.variants.withUnsafeBufferPointer { variants in
          for row in 0..<count {
            unsafe codes[row] = unsafe experiments[row] &* limit &+ variants[row]
          }
        }
      }
    }
  }

  /// Returns the code of a pair.
  mutating func code(of experiment: UInt32, _ variant: UInt32) -> UInt32 {
    let key = UInt64(experiment) * variantLimit + UInt64(variant)
    return beforehand == nil ? UInt32(index.index(of: key)) : UInt32(key)
  }

  /// Returns the pair of a code.
  func pair(of code: UInt32) -> (experiment: UInt32, variant: UInt32) {
    let key = beforehand == nil ? index.keys[Int(code)] : UInt64(code)
    return (UInt32(key / variantLimit), UInt32(key % variantLimit))
  }
}
