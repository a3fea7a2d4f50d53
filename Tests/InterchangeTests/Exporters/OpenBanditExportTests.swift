import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Export as an Open Bandit file")
struct OpenBanditExportTests {
  private let sample = """
    ,timestamp,item_id,position,click,propensity_score,user_feature_0,user_feature_1,user-item_affinity_0,user-item_affinity_1
    7,2019-11-24 00:03:13.442536+00:00,1,3,1,0.25,"a,b",,0.0,2.5
    9,2019-11-24 00:03:13.442536+00:00,0,1,0,0.5,,x,0.0,0.0
    9,2019-11-24 00:03:14.000001+00:00,1,2,1,0.5,,x,1e-09,0.0

    """

  private func decision(_ rest: String, unit: String = "x-1", variant: String = "0") -> String {
    #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"\#(unit)","experiment":"x","variant":"\#(variant)"\#(rest)}"#
  }

  private func goal(_ name: String, _ rest: String = "", unit: String = "x-1") -> String {
    #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"\#(unit)","experiment":"x","goal":"\#(name)"\#(rest)}"#
  }

  private let fitting = #","slot":"1","propensity":0.5"#

  @Test("a file that was imported is written as it was, and gives the same events")
  func roundTrip() throws {
    let first = try Imported(sample, name: "men.csv")
    #expect(first.events.count == 5)
    let exported = try Exported(first.events, OpenBandit.self)
    #expect(exported.text == sample)
    #expect(exported.omitted.isEmpty && exported.refusal == nil)
    #expect(try Imported(exported.text, name: "men.csv") == first)
  }

  @Test("a file of another experiment, or without affinities and row numbers, comes back too")
  func others() throws {
    let named = try Imported(sample, name: "men.csv", experiment: "random")
    let exported = try Exported(named.events, OpenBandit.self)
    #expect(exported.text == sample)
    #expect(try Imported(exported.text, name: "men.csv", experiment: "random") == named)
    let bare = try Imported(
      """
      timestamp,item_id,position,click,action_prob
      1767607200,12,1,1,0.1
      1767607201,7,2,0,0.1
      """, name: "men.csv")
    let again = try Exported(bare.events, OpenBandit.self)
    #expect(try Imported(again.text, name: "men.csv") == bare)
  }

  @Test("units that are not numbered get numbers, which is counted")
  func units() throws {
    let exported = try Exported(
      [
        decision(fitting, unit: "ann"), goal("click", unit: "ann"),
        decision(fitting, unit: "x-7"), decision(fitting, unit: "ann", variant: "3"),
      ], OpenBandit.self)
    #expect(
      exported.text == """
        ,timestamp,item_id,position,click,propensity_score
        0,2026-01-05 10:00:00.000000+00:00,0,1,1,0.5
        1,2026-01-05 10:00:00.000000+00:00,0,1,0,0.5
        2,2026-01-05 10:00:00.000000+00:00,3,1,0,0.5

        """)
    #expect(exported.omitted == ["names of units": 3])
  }

  @Test(
    "attributes are columns, with numbers and truth values as texts; what has no column is counted")
  func attributes() throws {
    let exported = try Exported(
      [
        decision(
          fitting
            + #","choices":["0","1"],"probabilities":[0.5,0.5],"context":{"age":33,"new":true,"click":"x"},"features":{"1":{"user-item_affinity":2,"price":3}}"#
        )
      ], OpenBandit.self)
    #expect(
      exported.text == """
        ,timestamp,item_id,position,click,propensity_score,age,new,user-item_affinity_0,user-item_affinity_1
        1,2026-01-05 10:00:00.000000+00:00,0,1,0,0.5,33,true,0.0,2.0

        """)
    #expect(
      exported.omitted == [
        "attributes named like a column": 1, "features other than user-item_affinity": 1,
        "probabilities of all choices": 1,
      ])
  }

  @Test("decisions that are no rows, and goals that are no clicks, are counted by their reason")
  func omitted() throws {
    let exported = try Exported(
      [
        decision(fitting + #","choices":["0","1"]"#), goal("click", #","value":1"#),
        goal("click"), decision(fitting), decision(fitting + #","choices":["1","0"]"#),
        decision(#","slot":"top","propensity":1"#), decision(#","propensity":1"#),
        decision(#","slot":"1""#), decision(fitting, variant: "red"), goal("click"),
        decision(fitting + #","status":"provisional""#),
        decision(fitting + #","choices":["0","1"]"#, unit: "ann"),
        decision(fitting + #","choices":["0","1"]"#), goal("order", #","value":1"#),
        decision(fitting + #","choices":["0","1"]"#), goal("click", #","value":0.5"#),
        decision(#","slot":"1","propensity":1,"choices":["0","1"]"#, unit: "x-2"),
        decision(#","slot":"2","propensity":1,"choices":["0","1"]"#, unit: "x-2"),
        goal("click", unit: "x-2"),
      ], OpenBandit.self)
    #expect(exported.text.split(separator: "\n").count == 4)
    #expect(
      exported.omitted == [
        "later goals": 1, "decisions with other choices than 0, 1, ...": 2,
        "decisions without a whole number as slot": 2, "decisions without a propensity": 1,
        "decisions without a whole number as variant": 1, "goals of such decisions": 1,
        "provisional decisions": 1,
        "decisions of units that are not numbered like the first one": 1,
        "goals other than click with the value 1": 2,
        "decisions of several slots with one goal": 2, "goals of several slots": 1,
      ])
  }

  @Test("a log of which nothing fits is refused, with the reasons")
  func refused() throws {
    let exported = try Exported([decision(""), goal("click")], OpenBandit.self)
    #expect(exported.text.isEmpty)
    #expect(
      exported.refusal
        == "no decision fits a row of obd: the log has decisions without a propensity (1), "
        + "goals of such decisions (1); a row needs a whole number as variant and as slot, a "
        + "propensity, and choices 0, 1, ...")
    #expect(try Exported([], OpenBandit.self).refusal?.contains("the log has none") == true)
  }

  @Test("the clicks of random logs are those of the goals", arguments: UInt64(0)..<4)
  func random(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lines: [String] = []
    for number in 0..<200 {
      let unit = "x-\(number)"
      lines.append(
        decision(
          #","slot":"\#(random.index(3))","choices":["0","1","2"],"propensity":\#(Double(1 + random.index(3)) / 4)"#,
          unit: unit, variant: "\(random.index(3))"))
      if random.chance(0.3) { lines.append(goal("click", #","value":1"#, unit: unit)) }
    }
    let exported = try Exported(lines, OpenBandit.self)
    #expect(exported.omitted.isEmpty)
    let events = try Imported(lines.joined(separator: "\n")).events
    #expect(try Imported(exported.text, name: "x.csv").events == events, "seed \(seed)")
  }
}
