import TestSupport
import Testing

@testable import Interchange

@Suite("Tables with columns in capitals")
struct UpperCaseTests {
  @Test(
    "are recognized and read like the same table in small letters; other columns keep their names")
  func tables() throws {
    for (text, name) in [
      ("user_id,timestamp,experiment_id,variation_id\nu,2026-01-05,e,0\n", "a.csv"),
      ("timestamp,user_id,value\n2026-01-05,u,2\n", "a.csv"),
      (
        "company_id,unit_id,unit_type,exposure_type,name,experiment_group,first_exposure_utc\n"
          + "c,u,userID,experiment,e,Control,2026-01-05\n", "a.csv"
      ),
      ("timestamp,item_id,position,click,action_prob\n2020-01-01T00:00:00Z,7,1,1,0.5\n", "men.csv"),
      (
        "timestamp,item_id,position,click,action_prob,user-item_affinity_0\n"
          + "2020-01-01T00:00:00Z,0,1,1,0.5,2.5\n", "men.csv"
      ),
    ] {
      let lines = text.split(separator: "\n", maxSplits: 1)
      let small = try Imported(text, name: name)
      let capital = try Imported("\(lines[0].uppercased())\n\(lines[1])", name: name)
      #expect(small.events.count > 0 && small.rejected.isEmpty, "\(text)")
      let lower = { (imported: Imported) in imported.events.map { $0.lowercased() } }
      #expect(lower(capital) == lower(small), "\(text)")
    }
    let kept = try Imported(
      "USER_ID,TIMESTAMP,EXPERIMENT_ID,VARIATION_ID,COUNTRY\nu,2026-01-05,e,0,DE\n")
    #expect(kept.events.first?.contains(#""context":{"COUNTRY":"DE"}"#) == true)
  }

  @Test("a mapping finds them in both spellings, in wide tables too")
  func mapping() throws {
    let wide = (0..<80).map { "C\($0)" }.joined(separator: ",")
    let commas = String(repeating: ",", count: 80)
    for text in ["T,U,V\n2026-01-05,u,a\n", "T,U,V,\(wide)\n2026-01-05,u,a\(commas)\n"] {
      for map in [["time=t", "unit=u", "variant=v"], ["time=T", "unit=U", "variant=V"]] {
        let imported = try Imported(text, name: "x.csv", mapping: EventMapping(map))
        #expect(
          imported.events == [
            #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"x","variant":"a"}"#
          ], "\(map)")
      }
    }
  }

  @Test("a header of both cases is taken as it is written")
  func both() throws {
    #expect(throws: ImportError.self) {
      try Imported("USER_ID,TIMESTAMP,EXPERIMENT_ID,variation_id\nu,2026-01-05,e,0\n")
    }
    let text = "T,U,V,t\n2026-01-05,u,a,x\n"
    #expect(throws: ImportError.self) {
      try Imported(text, mapping: EventMapping(["time=T", "unit=u", "variant=V"]))
    }
  }
}
