import Deciding
import Events
import Statistics
import Testing

@Suite("Surroundings")
struct SurroundingsTests {
  @Test(
    "the locale is that of the first variable that is set",
    arguments: [
      (["LANG": "en_GB.UTF-8"], ["en-GB"], "GB"),
      (["LC_ALL": "", "LANG": "he_IL"], ["he-IL"], "IL"),
      (["LC_ALL": "de", "LANG": "en_US"], ["de"], nil),
      (["LC_MESSAGES": "sr_RS@latin"], ["sr-RS"], "RS"),
      (["LANG": "C.UTF-8"], [], nil), (["LANG": "POSIX"], [], nil), ([:], [], nil),
    ] as [([String: String], [String], String?)])
  func locale(environment: [String: String], languages: [String], region: String?) {
    let locale = UserLocale { environment[$0] }
    #expect(locale == UserLocale(languages: languages, region: region))
  }

  @Test("ids are UUIDs of version 4, and never the same")
  func ids() {
    let source = RandomIDs()
    let ids = (0..<10_000).map { _ in source.next() }
    #expect(Set(ids).count == ids.count)
    for id in ids {
      let groups = id.split(separator: "-")
      #expect(groups.map(\.count) == [8, 4, 4, 4, 12])
      #expect(groups[2].first == "4" && "89ab".contains(groups[3].first ?? " "))
      #expect(id.allSatisfy { "0123456789abcdef-".contains($0) })
    }
    #expect(RandomIDs(seed: 1).next() == RandomIDs(seed: 1).next())
    #expect(RandomIDs(seed: 1).next() != RandomIDs(seed: 2).next())
  }

  @Test("the text of an id is that of its bits, digit by digit", arguments: 0..<20 as Range<UInt64>)
  func digits(seed: UInt64) {
    let source = RandomIDs(seed: seed)
    var generator = Xoshiro256(seed: seed)
    for _ in 0..<200 {
      let (high, low) = (generator.next(), generator.next())
      var digits: [Character] = []
      for word in [high & ~0xF000 | 0x4000, low & ~(0xC0 << 56) | 0x80 << 56] {
        let text = String(word, radix: 16)
        digits += String(repeating: "0", count: 16 - text.count) + text
      }
      for place in [20, 16, 12, 8] { digits.insert("-", at: place) }
      #expect(source.next() == String(digits), "seed \(seed)")
    }
  }

  @Test("the machine's clock is after the time at which this was written")
  func clock() {
    #expect(SystemTime().now > Timestamp(microseconds: 1_790_000_000_000_000))
  }

  @Test("a clock by hand wakes its sleepers in the order of their times")
  func manualTime() async throws {
    let time = ManualTime()
    let order = MemorySink()
    await withTaskGroup(of: Void.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try? await time.sleep(for: .seconds(seconds))
          let unit = UnitID("\(seconds)")
          _ = try? order.append([
            Event(time: time.now, unit: unit, payload: .dataPoint(DataPoint(kind: "woke")))
          ])
        }
      }
      while time.sleeperCount < 3 { await Task.yield() }
      for count in 1...3 {
        time.advance(seconds: 1)
        while order.events.count < count { await Task.yield() }
      }
    }
    #expect(order.events.map(\.unit) == ["1", "2", "3"])
  }
}
