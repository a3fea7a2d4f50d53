import Statistics
import Testing

@testable import Scenarios

@Suite("The queue of pending events")
struct PendingQueueTests {
  @Test(
    "it removes like a list that is sorted by key and then by arrival",
    arguments: 1...20 as ClosedRange<UInt64>)
  func againstList(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    var queue = PendingQueue<Int>()
    var list: [(key: Int64, element: Int)] = []
    for element in 0..<2_000 {
      if Draw.bernoulli(0.6, using: &generator) {
        let key = Int64(Draw.index(below: 50, using: &generator)) - 25
        queue.push(element, at: key)
        let place = list.firstIndex { $0.key > key } ?? list.count
        list.insert((key, element), at: place)
      } else {
        #expect(queue.nextKey == list.first?.key, "seed \(seed)")
        #expect(queue.pop() == list.first?.element, "seed \(seed)")
        if !list.isEmpty { list.removeFirst() }
      }
      #expect(queue.count == list.count)
    }
    while let element = queue.pop() { #expect(element == list.removeFirst().element) }
    #expect(list.isEmpty)
  }
}
