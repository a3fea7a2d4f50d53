import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

/// What is known of a visitor after data and activities.
func facts(
  _ data: [any VisitorData] = [], user: String = "visitor-1", visits: [Double] = [0],
  now: Double? = nil
) -> VisitorFacts {
  func time(_ seconds: Double) -> Timestamp { Timestamp(microseconds: Int64(seconds * 1e6)) }
  var facts = VisitorFacts(userID: user, now: time(now ?? visits.last ?? 0))
  for datum in data { datum.payloads.forEach { facts.knowledge.apply($0) } }
  for visit in visits { facts.visits.activity(at: time(visit)) }
  return facts
}

@Suite("Targeting: conditions")
struct ConditionTests {
  struct Row: CustomStringConvertible, Sendable {
    let id: String
    let test: SegmentCondition.Test
    let data: [any VisitorData]
    let isMet: Bool

    init(_ id: String, _ test: SegmentCondition.Test, _ data: [any VisitorData], _ isMet: Bool) {
      (self.id, self.test, self.data, self.isMet) = (id, test, data, isMet)
    }

    var description: String { "\(id) \(test) -> \(isMet)" }
  }

  static let rows: [Row] = [
    Row("KA-V18", .conversion(nil), [Conversion(goalID: "4")], true),
    Row("KA-V18", .conversion(nil), [], false),
    Row("KA-V39", .conversion("5"), [Conversion(goalID: "4")], false),
    Row("KA-54", .conversion("5"), [Conversion(goalID: "5", negative: true)], true),
    Row(
      "KA-45", .custom("plan", .exact("b")), [CustomData(name: "plan", values: ["a", "b"])], true),
    Row(
      "KA-45", .custom("1", .exact("a")),
      [CustomData(index: 1, value: "a"), CustomData(index: 1, value: "b")], false),
    Row(
      "KA-45", .custom("1", .exact("a")),
      [CustomData(index: 1, value: "a"), CustomData(index: 1, values: ["b"], overwrites: false)],
      true),
    Row(
      "KA-52", .custom("1", .undefined),
      [CustomData(index: 1, value: "a"), CustomData(index: 1, values: [])], true),
    Row("KA-57", .interest(2), [VisitorInterest(2)], true),
    Row("KA-57", .interest(2), [VisitorInterest(3)], false),
    Row("KA-57", .browser("Firefox", nil), [VisitorBrowser("firefox")], true),
    Row("KA-57", .browser("firefox", nil), [], false),
    Row(
      "KA-57", .browser("firefox", .init(.greater, "100")),
      [VisitorBrowser("firefox", version: "144.0")],
      true),
    Row("KA-57", .browser("firefox", .init(.greater, "100")), [VisitorBrowser("firefox")], false),
    Row("KA-57", .browser("chrome", nil), [VisitorBrowser("firefox")], false),
    Row(
      "KA-57", .system("linux", .init(.equal, "6")), [VisitorSystem("linux", version: "6.0")], true),
    Row("KA-53", .applicationVersion(.init(.lower, "2")), [ApplicationVersion("1.9.9")], true),
    Row("KA-53", .applicationVersion(.init(.lower, "2")), [ApplicationVersion("one")], false),
    Row("KA-53", .applicationVersion(.init(.lower, "2")), [], false),
    Row("KA-57", .device(.phone), [VisitorDevice.tablet, VisitorDevice.phone], true),
    Row("KA-57", .device(.phone), [VisitorDevice.phone, VisitorDevice.tablet], false),
    Row(
      "KA-57", .place(country: "FR", region: nil, city: "Paris"),
      [VisitorPlace(country: "FR", city: "Paris")], true),
    Row(
      "KA-57", .place(country: "FR", region: nil, city: "Paris"), [VisitorPlace(country: "FR")],
      false),
    Row("KA-57", .place(country: nil, region: nil, city: nil), [], false),
    Row("KA-57", .cookie("c", .exact("1")), [VisitorCookie(["c": "1", "d": "2"])], true),
    Row("KA-57", .cookie("e", .undefined), [VisitorCookie(["c": "1"])], true),
    Row("KA-57", .pageAddress(.contains("shop")), [PageView("/shop/1")], true),
    Row("KA-57", .pageAddress(.contains("shop")), [PageView("/shop/1"), PageView("/")], false),
    Row("KA-57", .previousPage(.exact("/shop")), [PageView("/shop"), PageView("/")], true),
    Row("KA-57", .previousPage(.contains("")), [PageView("/")], false),
    Row("KA-57", .pageTitle(.exact("Home")), [PageView("/", title: "Home")], true),
    Row("KA-57", .pageTitle(.contains("")), [PageView("/")], false),
    Row("KA-57", .pageViews(nil, .equal, 2), [PageView("/"), PageView("/a")], true),
    Row("KA-57", .pageViews("/a", .greater, 1), [PageView("/a"), PageView("/a")], true),
    Row("KA-57", .pageViews("/b", .equal, 0), [], true),
    Row("KA-57", .userID(.contains("visitor")), [], true),
    Row(
      "KA-57", .segment("s", VisitorSegment(all: SegmentCondition(.interest(1)))),
      [VisitorInterest(1)], true),
    Row("KA-57", .segment("s", VisitorSegment(all: SegmentCondition(.interest(1)))), [], false),
    Row(
      "KA-57", .likelihoodToConvert("g", .greater, 0.5), [ConversionLikelihood(0.7, goalID: "g")],
      true),
    Row("KA-57", .likelihoodToConvert(nil, .greater, 0.5), [ConversionLikelihood(0.7)], true),
    Row("KA-57", .likelihoodToConvert("g", .greater, 0.5), [ConversionLikelihood(0.7)], false),
    Row("KA-57", .likelihoodToConvert(nil, .lower, 0.5), [], false),
    Row("KA-57", .likelihoodToConvert(nil, .lower, 0.5), [ConversionLikelihood(.nan)], false),
  ]

  @Test("conditions on known values, and their negations", arguments: rows)
  func conditions(row: Row) {
    let facts = facts(row.data)
    #expect(VisitorSegment(all: SegmentCondition(row.test)).isMet(by: facts) == row.isMet)
    #expect(
      VisitorSegment(all: SegmentCondition(row.test, include: false)).isMet(by: facts) != row.isMet)
  }

  @Test("KA-V14: unknown types, empty lists and no segment are met", arguments: [true, false])
  func metByDefault(include: Bool) {
    let unknown = VisitorSegment(
      all: SegmentCondition(.unknown(type: "MOOD", [:]), include: include))
    #expect(unknown.isMet(by: facts()))
    #expect(unknown.warnings.count == 1 && unknown.warnings[0].contains("\"MOOD\""))
    #expect(VisitorSegment([]).isMet(by: facts()))
    #expect(VisitorSegment(all: SegmentCondition(.interest(1))).warnings.isEmpty)
    let empty = VisitorSegment([
      VisitorSegment.Group([]), VisitorSegment.Group([SegmentCondition(.interest(1))]),
    ])
    #expect(!empty.isMet(by: facts()))
    #expect(empty.isMet(by: facts([VisitorInterest(1)])))
  }

  @Test("KA-49: groups are joined like the conditions in them")
  func groups() {
    let (yes, no) = (SegmentCondition(.userID(.contains(""))), SegmentCondition(.interest(1)))
    let segment = VisitorSegment(
      [.init([no, yes], joinedBy: [.or]), .init([yes, no]), .init([yes])], joinedBy: [.and, .or])
    #expect(segment.isMet(by: facts()))
    #expect(
      !VisitorSegment([.init([no, yes], joinedBy: [.or]), .init([yes, no])]).isMet(by: facts()))
  }

  @Test(
    "KA-56: visits",
    arguments: [
      (.visits(.equal, 1), [0.0], nil, true), (.visits(.equal, 2), [0, 1_800], nil, true),
      (.isNewVisitor(true), [0], nil, true), (.isNewVisitor(true), [0, 60], nil, true),
      (.isNewVisitor(true), [0, 3_600], nil, false), (.isNewVisitor(false), [0, 3_600], nil, true),
      (.visitsToday(.equal, 2, offsetMinutes: 0), [80_000, 84_000], nil, true),
      (.visitsToday(.equal, 1, offsetMinutes: 0), [80_000, 86_400], nil, true),
      (.visitsToday(.equal, 2, offsetMinutes: -60), [80_000, 86_400], nil, true),
      (.visitsToday(.equal, 1, offsetMinutes: 60), [80_000, 86_399], nil, true),
      (.sinceFirstVisit(.greater, seconds: 0), [0], 100, false),
      (.sinceFirstVisit(.equal, seconds: 7_200), [0, 3_600, 7_200], nil, true),
      (.sinceLastVisit(.equal, seconds: 3_600), [0, 3_600, 7_200], nil, true),
      (.sinceLastVisit(.lower, seconds: 1e9), [0], 100, false),
    ] as [(SegmentCondition.Test, [Double], Double?, Bool)])
  func visits(test: SegmentCondition.Test, visits: [Double], now: Double?, isMet: Bool) {
    #expect(
      VisitorSegment(all: SegmentCondition(test)).isMet(by: facts(visits: visits, now: now))
        == isMet)
  }

  @Test("KA-55 and KA-57: assignments in experiments and flags")
  func assignments() {
    var facts = facts()
    let now = Timestamp(microseconds: 0)
    facts.kinds = ["p": .personalization]
    func isMet(_ test: SegmentCondition.Test, asking experiment: ExperimentID = "asked") -> Bool {
      VisitorSegment(all: SegmentCondition(test)).isMet(by: facts, asking: experiment)
    }
    for campaign in SegmentCondition.Campaign.allCases {
      #expect(isMet(.exclusiveCampaign(campaign)))
    }
    facts.assignments.set("asked", to: Assignment(variation: "1", time: now))
    for campaign in SegmentCondition.Campaign.allCases {
      #expect(isMet(.exclusiveCampaign(campaign)))
    }
    #expect(!isMet(.exclusiveCampaign(.experiment), asking: "another"))
    facts.assignments.set("p", to: Assignment(variation: "1", time: now))
    #expect(isMet(.exclusiveCampaign(.experiment)))
    #expect(!isMet(.exclusiveCampaign(.personalization)))
    #expect(!isMet(.exclusiveCampaign(.any)))
    let delivered = Assignment(
      variation: "on", time: now, policy: FlagRule.deliveryPolicy, rule: "501", experiment: "7001")
    facts.assignments = OrderedMap([(ExperimentID("flag"), delivered)])
    #expect(isMet(.exclusiveCampaign(.experiment)))
    #expect(!isMet(.exclusiveCampaign(.personalization)))
    #expect(isMet(.flag("flag", variation: nil, rule: nil)))
    #expect(isMet(.flag("flag", variation: "on", rule: "501")))
    #expect(!isMet(.flag("flag", variation: "off", rule: nil)))
    #expect(!isMet(.flag("flag", variation: nil, rule: "502")))
    #expect(!isMet(.flag("other", variation: nil, rule: nil)))
    #expect(isMet(.experiment("7001", variation: nil)))
    #expect(isMet(.experiment("7001", variation: "on")))
    #expect(!isMet(.experiment("7001", variation: "2")))
    #expect(!isMet(.experiment("7002", variation: nil)))
  }
}
