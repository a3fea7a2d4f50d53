import TestSupport
import Testing

@testable import Replay

@Suite("Registers")
struct RegisterTests {
  @Test("indices are those of the first appearance", arguments: 0..<10)
  func twin(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var register = Register<String>(["none"])
    var naive = ["none"]
    for _ in 0..<20 {
      register.beginBatch()
      // The values of a batch by their numbers.
      let batch = (0..<30).map { _ in "v\(Int.random(in: 0..<50, using: &random))" }
      for _ in 0..<100 {
        let number = Int.random(in: 0..<batch.count, using: &random)
        let value = batch[number]
        if !naive.contains(value) { naive.append(value) }
        let index = register.index(ofNumber: UInt32(number)) { value }
        #expect(Int(index) == naive.firstIndex(of: value), "seed \(seed)")
        #expect(register.index(of: value) == index, "seed \(seed)")
      }
    }
    #expect(register.values == naive, "seed \(seed)")
  }

  @Test("a register that is added is translated")
  func adding() {
    var register = Register([3, 1, 4])
    #expect(register.add(Register([1, 5, 3])) == [1, 3, 0])
    #expect(register.values == [3, 1, 4, 5])
    #expect(register.add(Register()).isEmpty)
  }
}
