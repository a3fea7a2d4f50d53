import Deciding
import EventLog
import Reports
import Tables
import TestSupport
import Testing

/// The example of README.md.
@Suite("Example of README")
struct ReadmeExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() async throws {
    let folder = try TemporaryFolder()
    let log = try LogWriter(folder.path("checkout.log"))
    let agents = Agents(owner: "shop", surroundings: Surroundings(sink: log))
    let slots = [SlotChoices(choices: ["red", "blue"])]
    for visitor in 1...1_000 {
      let session = "s-\(visitor)"
      let request = DecisionRequest(agent: "checkout", session: session, slots: slots)
      if try agents.decide(request).decisions[0].code == "blue" {
        _ = try agents.goal(GoalRequest(agent: "checkout", session: session, reward: 12.5))
      }
    }
    try await agents.flush()

    let reader = try LogReader(folder.path("checkout.log"))
    let table = try RewardReport().table(of: reader)
    print(String(decoding: write(table, as: .markdown), as: UTF8.self))
    #expect(shown.lines.joined().contains("| checkout | point-1 | decision-1 | blue |"))
  }
}
