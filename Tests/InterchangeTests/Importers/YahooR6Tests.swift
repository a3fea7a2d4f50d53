import Testing

@testable import Interchange

@Suite("Yahoo! Front Page data")
struct YahooR6Tests {
  private static let user = "|user 2:0.25 3:0 4:0.5 5:0.125 6:0.125 1:1"

  private static func article(_ id: String) -> String {
    "|\(id) 2:0.5 3:0 4:0 5:0.25 6:0.25 1:1.000000"
  }

  @Test("R6A: a displayed article is a decision with features, and a click a goal")
  func vectors() throws {
    let imported = try Imported(
      "1241160900 0102 1 \(Self.user) \(Self.article("0102")) \(Self.article("205")) \n",
      name: "day1.txt")
    let features = #"{"2":0.5,"3":0,"4":0,"5":0.25,"6":0.25,"1":1}"#
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2009-05-01T06:55:00Z","unit":"day1-1","experiment":"day1","variant":"0102","choices":["0102","205"],"propensity":0.5,"context":{"user.2":0.25,"user.3":0,"user.4":0.5,"user.5":0.125,"user.6":0.125,"user.1":1},"features":{"0102":\#(features),"205":\#(features)}}"#,
        #"{"type":"goal","time":"2009-05-01T06:55:00Z","unit":"day1-1","experiment":"day1","goal":"click","value":1}"#,
      ])
  }

  @Test("R6B: users have binary features and articles none")
  func binary() throws {
    let imported = try Imported(
      """
      1317513291 id-560620 0 |user 1 9 11 |id-552077 |id-560620 |id-1 |id-2
      1317513292 id-2 0 |user |id-2
      """, name: "ydata")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2011-10-01T23:54:51Z","unit":"ydata-1","experiment":"ydata","variant":"id-560620","choices":["id-552077","id-560620","id-1","id-2"],"propensity":0.25,"context":{"user.1":1,"user.9":1,"user.11":1}}"#,
        #"{"type":"decision","time":"2011-10-01T23:54:52Z","unit":"ydata-2","experiment":"ydata","variant":"id-2","choices":["id-2"],"propensity":1}"#,
      ])
  }

  @Test("lines that are not sound are rejected")
  func rejected() throws {
    let (user, a) = (Self.user, Self.article("1"))
    let imported = try Imported(
      """
      1241160900 1 0 \(user) \(a)
      1241160900 1 0 \(user) \(a) 7:1
      1241160900 2 0 \(user) \(a)
      1241160900 1 0 \(user) \(a) \(a)
      1241160900 1 2 \(user) \(a)
      x 1 0 \(user) \(a)
      1241160900 1 0 \(user) |1 2:x 3:0 4:0 5:0 6:0 1:1
      1241160900 1 0 \(user) |1 2:0 2:0 4:0 5:0 6:0 1:1
      1241160900 1 0 \(user) |1 2:0 3 4:0 5:0 6:0 1:1
      1241160900 é 0 \(user) \(a)
      """)
    #expect(imported.events.count == 1)
    #expect(
      imported.rejected == [
        "2: wrong column count: 18 fields; there must be 10, and 7 for each article",
        #"3: bad item: the displayed article "2" is not one of the candidates"#,
        #"4: bad item: the article "1" is there twice"#,
        #"5: bad click: the click is "2" and must be 0 or 1"#,
        #"6: bad time: the time is "x" and must be in seconds since 1970"#,
        #"7: bad number: the feature "2:x" is not a number"#,
        #"8: bad event: "features" has "2" twice; keep one of them"#,
        #"9: bad number: the feature "3" has no value"#, "10: not UTF-8: the line is not ASCII",
      ])
  }

  @Test("lines of Vowpal Wabbit are not taken for either")
  func others() {
    for line in ["1:0.5:0.3 |user a b", "shared |user a", "1 1.0 0 |user a |b c:1", "0 |user a"] {
      let sample = InputSample(Array(line.utf8))
      #expect(YahooR6A.match(sample) == .unrelated)
      #expect(YahooR6B.match(sample) == .unrelated)
    }
  }
}
