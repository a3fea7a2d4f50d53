import Testing

@testable import Interchange

@Suite("Eppo logs")
struct EppoTests {
  @Test("an assignment is a decision, with the attributes of the subject as its context")
  func assignment() throws {
    let imported = try Imported(
      """
      {"experiment":"checkout-allocation-7","subject":"0042","variation":"treatment","timestamp":"2026-01-05T10:00:00.250Z",\
      "subjectAttributes":{"plan":"pro","age":33},"featureFlag":"checkout","allocation":"allocation-7","holdoutKey":null}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00.250000Z","unit":"0042","experiment":"checkout-allocation-7","variant":"treatment","context":{"subjectAttributes.plan":"pro","subjectAttributes.age":33,"featureFlag":"checkout","allocation":"allocation-7"}}"#
      ])
  }

  @Test("a table has the attributes as JSON in a column")
  func table() throws {
    let imported = try Imported(
      """
      experiment,subject,variation,timestamp,subject_attributes
      e,s-1,a,2026-01-05 10:00:00,"{""plan"":""p\\u0072o"",""tags"":[1,2],""zip"":""30"",""age"":30,""empty"":{},""none"":null}"
      e,s-2,b,2026-01-05 10:00:00,{broken
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"s-1","experiment":"e","variant":"a","context":{"subject_attributes.plan":"pro","subject_attributes.tags":"[1,2]","subject_attributes.zip":"30","subject_attributes.age":30}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"s-2","experiment":"e","variant":"b","context":{"subject_attributes":"{broken"}}"#,
      ])
  }

  @Test(
    "an action of a bandit has its propensity, its model as policy, and its attributes as features")
  func action() throws {
    let imported = try Imported(
      """
      {"timestamp":"2026-01-05T10:00:00Z","bandit_key":"shoes","subject":"s-1","action":"nike","action_probability":0.25,\
      "optimality_gap":1.5,"model_version":"v3","subject_numeric_attributes":{"age":30},\
      "subject_categorical_attributes":{"country":"DE"},"action_numeric_attributes":{"price":80,"rank":null},\
      "action_categorical_attributes":{"brand":"nike","price":"high"}}
      {"timestamp":"2026-01-05T10:00:01Z","bandit":"shoes","featureFlag":"f","subject":"s-2","action":"adidas",\
      "actionProbability":1,"modelVersion":"v3","actionNumericAttributes":{}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"s-1","experiment":"shoes","variant":"nike","propensity":0.25,"policy":"v3","context":{"optimality_gap":1.5,"subject_numeric_attributes.age":30,"subject_categorical_attributes.country":"DE","action_categorical_attributes.price":"high"},"features":{"nike":{"price":80,"brand":"nike"}}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:01Z","unit":"s-2","experiment":"shoes","variant":"adidas","propensity":1,"policy":"v3","context":{"featureFlag":"f"}}"#,
      ])
  }

  @Test("bandits without an action are counted, and bad probabilities and missing fields rejected")
  func others() throws {
    let imported = try Imported(
      """
      {"timestamp":"2026-01-05T10:00:00Z","bandit_key":"shoes","subject":"s-1","action":null}
      {"timestamp":"2026-01-05T10:00:00Z","bandit_key":"shoes","subject":"s-1","action":"a","action_probability":"high"}
      {"timestamp":"2026-01-05T10:00:00Z","experiment":"e","subject":"s-1"}
      {"timestamp":"2026-01-05T10:00:00Z","experiment":"e","variation":"a"}
      """)
    #expect(imported.events.isEmpty)
    #expect(imported.ignored == ["bandits without an action": 1])
    #expect(
      imported.rejected == [
        #"2: bad number: "action_probability" is "high" and must be a number"#,
        #"3: bad event: there is no "variation""#, #"4: missing unit: there is no "subject""#,
      ])
  }
}
