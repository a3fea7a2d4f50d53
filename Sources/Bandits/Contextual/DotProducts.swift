/// Dot products with four accumulators each, the sums of every fourth product, so that they vectorize.
package enum DotProducts {
  /// Returns Σ aₖbₖ, with a from `start` on.
  @inline(__always)
  package static func one(_ a: [Double], _ start: Int, _ b: [Double], count: Int) -> Double {
    precondition(start >= 0 && count <= a.count - start && count <= b.count, "too few numbers")
    // Safety: `count` numbers are within both arrays, by the line above.
    return unsafe a.withUnsafeBufferPointer { a in
      unsafe b.withUnsafeBufferPointer { b in
        var sum = SIMD4<Double>.zero
        var k = 0
        while k &+ 3 < count {
          sum += unsafe four(a, start &+ k) * four(b, k)
          k &+= 4
        }
        return unsafe rest(sum, a, start, b, k, count)
      }
    }
  }

  /// Computes the product of each of several vectors, one after the other in an array, with another one. The sums of
  /// three vectors at a time do not wait for each other.
  static func all(_ vectors: [Double], _ other: [Double], count: Int, into results: inout [Double]) {
    let last = results.count
    precondition(last * count <= vectors.count && count <= other.count, "too few numbers")
    // Safety: `count` numbers from a multiple of it are within the vectors, by the line above.
    unsafe vectors.withUnsafeBufferPointer { a in
      unsafe other.withUnsafeBufferPointer { b in
        var vector = 0
        while vector &+ 2 < last {
          let start = vector &* count
          let (next, third) = (start &+ count, start &+ 2 &* count)
          var (s0, s1, s2) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
          var k = 0
          while k &+ 3 < count {
            let shared = unsafe four(b, k)
            s0 += unsafe four(a, start &+ k) * shared
            s1 += unsafe four(a, next &+ k) * shared
            s2 += unsafe four(a, third &+ k) * shared
            k &+= 4
          }
          results[vector] = unsafe rest(s0, a, start, b, k, count)
          results[vector &+ 1] = unsafe rest(s1, a, next, b, k, count)
          results[vector &+ 2] = unsafe rest(s2, a, third, b, k, count)
          vector &+= 3
        }
        while vector < last {
          results[vector] = one(vectors, vector &* count, other, count: count)
          vector &+= 1
        }
      }
    }
  }

  @inline(__always)
  private static func four(_ numbers: UnsafeBufferPointer<Double>, _ k: Int) -> SIMD4<Double> {
    // Safety: the callers stop three numbers before the end.
    unsafe SIMD4(numbers[k], numbers[k &+ 1], numbers[k &+ 2], numbers[k &+ 3])
  }

  /// Adds the last products, fewer than four, to the first sum, and the sums.
  @inline(__always)
  private static func rest(
    _ sum: SIMD4<Double>, _ a: UnsafeBufferPointer<Double>, _ start: Int,
    _ b: UnsafeBufferPointer<Double>, _ from: Int, _ count: Int
  ) -> Double {
    var first = sum[0]
    // Safety: the callers checked that both have as many numbers.
    for k in from..<count { first += unsafe a[start &+ k] * b[k] }
    return (first + sum[1]) + (sum[2] + sum[3])
  }
}
