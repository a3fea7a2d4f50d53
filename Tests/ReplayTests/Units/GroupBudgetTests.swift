import Statistics
import Testing

@testable import Replay

@Suite("Memory limit of groups")
struct GroupBudgetTests {
  @Test("no limit, and no groups, need no budget")
  func none() {
    #expect(GroupBudget(limit: nil, bytesPerGroup: 300, bytesPerRow: 100) == nil)
    #expect(GroupBudget(limit: 1_000, bytesPerGroup: 0, bytesPerRow: 100) == nil)
  }

  @Test("more groups than the limit allows are refused with both numbers")
  func refused() throws {
    let budget = try #require(GroupBudget(limit: 100 << 20, bytesPerGroup: 256, bytesPerRow: 100))
    let room = (50 << 20) / 1_024
    try budget.admit(arms: room)
    try budget.admit(groupsOfThread: room)
    let error = #expect(throws: GroupLimitError.self) { try budget.admit(arms: room + 1) }
    #expect(error?.groups == room + 1 && error?.room == room && error?.limit == 100 << 20)
    let text = error?.description ?? ""
    for part in [
      "\(room + 1) groups", "allows \(room)", "100 MB", "--memory", "--experiment", "--by",
      "analysis file",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    let running = #expect(throws: GroupLimitError.self) {
      try budget.admit(groupsOfThread: room + 1)
    }
    #expect(running?.description.hasPrefix("more than \(room) groups") == true)
    let situations = #expect(throws: GroupLimitError.self) {
      try budget.admit(groupsOfThread: room + 1, .situations)
    }
    let message = situations?.description ?? ""
    #expect(message.hasPrefix("more than \(room) kinds of situations ("))
    #expect(message.contains("balanced-ips") && !message.contains("--by"), "\(message)")
  }

  @Test("wide report rows count, although they are built after the events are released")
  func rows() throws {
    let budget = try #require(GroupBudget(limit: 100 << 20, bytesPerGroup: 256, bytesPerRow: 640))
    let room = (100 << 20) / (4 * (256 + 640))
    try budget.admit(arms: room)
    let error = #expect(throws: GroupLimitError.self) { try budget.admit(arms: room + 1) }
    #expect(error?.bytes == (room + 1) * 4 * (256 + 640))
  }

  @Test("a thousand groups are allowed under any limit, and no number overflows")
  func ends() throws {
    let least = try #require(GroupBudget(limit: 1, bytesPerGroup: 10_000, bytesPerRow: 0))
    try least.admit(arms: 1_000)
    #expect(throws: GroupLimitError.self) { try least.admit(arms: 1_001) }
    #expect(throws: GroupLimitError.self) { try least.admit(arms: .max) }
  }

  @Test("a group takes a fraction of a kilobyte")
  func sizes() {
    #expect(RewardProjector().bytesPerGroup <= 300)
    #expect(MetricProjector(.reward).bytesPerGroup <= 350)
    #expect(ConversionProjector().bytesPerGroup <= 600)
    #expect(HealthProjector().bytesPerGroup <= 1_000)
  }

  @Test("a box takes the space of a pointer, and has value semantics")
  func box() {
    #expect(MemoryLayout<OptionalBox<Moments>>.size == MemoryLayout<Int>.size)
    var a = OptionalBox<Moments>()
    #expect(a.value == nil)
    a.value?.add(1)
    #expect(a.value == nil)
    a.value = Moments([1])
    var b = a
    b.value?.add(2)
    #expect(a.value == Moments([1]) && b.value == Moments([1, 2]) && a != b)
    b.value = nil
    #expect(b.value == nil && b == OptionalBox())
  }
}
