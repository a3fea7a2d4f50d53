import Foundation
import Prediction
import Specifications
import Testing

@Suite("Predictors by name")
struct PredictorsTests {
  @Test(
    "are written with all their parameters",
    arguments: [
      ("beauchamp", "beauchamp"), ("calendar", "calendar:buckets=hour,offset=0,strength=5"),
      (
        "calendar:strength=2,offset=-4.5,buckets=hour-weekday",
        "calendar:buckets=hour-weekday,offset=-4.5,strength=2"
      ),
      ("ctw", "ctw:depth=3"), ("frequency", "frequency:smoothing=1"),
      ("frequency:smoothing=0.50", "frequency:smoothing=0.5"), ("recency", "recency:events=20"),
      ("thompson", "thompson:prior=1"), ("half-life", "half-life:days=5"),
      ("half-life:days=0.25", "half-life:days=0.25"), ("half-life:days=7.0", "half-life:days=7"),
      ("last", "last"), ("markov", "markov:order=1"), ("markov:order=3", "markov:order=3"),
      ("markov:smoothing=1", "markov:order=1,smoothing=1"),
      ("popular", "popular:smoothing=1"), ("popular:smoothing=0", "popular:smoothing=0"),
      ("pooled", "pooled:base=(beauchamp),context=0,strength=5"),
      ("pooled:base=markov:order=2", "pooled:base=(markov:order=2),context=0,strength=5"),
      (
        "pooled:strength=0.5,base=(pooled:base=(half-life),context=1)",
        "pooled:base=(pooled:base=(half-life:days=5),context=1,strength=5),context=0,strength=0.5"
      ),
      ("logistic", "logistic:rate=0.1,l2=0.0001,bits=18"),
      ("logistic:bits=4,rate=2", "logistic:rate=2,l2=0.0001,bits=4"),
      (
        "mixture:experts=last;(markov);ppm:order=2,share=0.25",
        "mixture:experts=(last);(markov:order=1);(ppm:order=2),rate=1,share=0.25,floor=0.01"
      ),
      (
        "mixture:experts=(mixture:experts=(last);(uniform)),floor=0.5",
        "mixture:experts=(mixture:experts=(last);(uniform),rate=1,share=0,floor=0.01),rate=1,"
          + "share=0,floor=0.5"
      ),
      ("ppm", "ppm:order=3"), ("ppm:order=0", "ppm:order=0"), ("uniform", "uniform"),
    ])
  func named(text: String, written: String) throws {
    let predictor = try Predictors.named(text)
    #expect(predictor.description == written)
    #expect(predictor.specification.description == written)
    #expect(try Predictors.named(written) == predictor)
    let data = try JSONEncoder().encode([predictor])
    #expect(try JSONDecoder().decode([Predictor].self, from: data) == [predictor])
  }

  @Test(
    "anything else is refused with a remedy",
    arguments: [
      ("", "write NAME"), ("bochamp", #"unknown predictor "bochamp"; did you mean "beauchamp"?"#),
      ("calendar:buckets=month", "must be hour, weekday, hour-weekday or daypart"),
      ("calendar:offset=25", "must be a number from -24.0 to 24.0"),
      ("ctw:depth=17", "must be a whole number from 0 to 16"),
      ("frequency:smoothing=-1", "must be a number from 0.0"),
      ("recency:events=0", "must be a number from 0.1"),
      ("thompson:alpha=1", #"it takes "prior""#),
      ("thompson:prior=0", "must be a number from 0.01"),

      ("beauchamp:days=5", "it takes none"), ("half-life:days=0", "must be a number from"),
      ("half-life:days=nan", "must be a number from"),
      ("half-life:day=5", "did you mean \"days\"?"),
      ("markov:order=-1", "must be a whole number from 0 to 16"),
      ("markov:smoothing=0", "must be a number from"),
      ("markov:order=17", "must be a whole number from 0 to 16"),
      ("ppm:order=1.5", "must be a whole number"), ("ppm:order", "write KEY=VALUE"),
      ("popular:smoothing=-1", "must be a number from 0"), ("pooled:base=()", "has no name"),
      ("pooled:base=(bochamp)", "unknown predictor \"bochamp\""),
      ("pooled:context=5", "from 0 to 4"),
      ("pooled:strength=0", "must be a number"), ("logistic:bits=25", "from 4 to 24"),
      ("logistic:rate=0", "must be a number"), ("mixture:experts=", "has no name"),
      ("mixture:experts=(last);(what)", "unknown predictor \"what\""),
      ("mixture:floor=0", "from 1e-09"),
      ("mixture:share=1.5", "must be a number from 0"),
      (
        "mixture:experts=" + String(repeating: "last;", count: 64) + "last",
        "has 65 experts; 64 are the most"
      ),
      (
        "pooled:base=" + String(repeating: "(mixture:experts=", count: 9) + "(last)"
          + String(repeating: ")", count: 9), "10 deep; 8 are the most"
      ),
      (
        String(repeating: "pooled:base=", count: 20_001) + "last",
        "20000 deep; 8 are the most"
      ),
    ])
  func refused(text: String, remedy: String) {
    let error = #expect(throws: SpecificationError.self) { try Predictors.named(text) }
    #expect(error?.description.contains(remedy) == true, "\(error?.description ?? "")")
  }

  @Test("the list has each, with its parameters and a citation")
  func list() throws {
    let names = Predictors.all.map(\.name)
    #expect(names == names.sorted() && Set(names).count == names.count)
    for description in Predictors.all {
      let predictor = try Predictors.named(description.name)
      let standard = description.parameters.compactMap { parameter in
        parameter.standard.map { Specification.Parameter(key: parameter.key, value: $0) }
      }
      #expect(predictor.specification == Specification(description.name, standard))
      #expect(!description.summary.isEmpty && !description.source.isEmpty)
    }
  }

  @Test("parameters out of range are refused by the predictors themselves")
  func ranges() throws {
    #expect(throws: SpecificationError.self) { try HalfLife { $0.days = .infinity } }
    #expect(throws: SpecificationError.self) { try HalfLife { $0.days = -1 } }
    #expect(throws: SpecificationError.self) { try Markov { $0.order = 17 } }
    #expect(throws: SpecificationError.self) { try TimeOfWeek { $0.strength = 0 } }
    #expect(throws: SpecificationError.self) { try ContextWeighting { $0.depth = -1 } }
    #expect(throws: SpecificationError.self) { try Frequency { $0.smoothing = .nan } }
    #expect(throws: SpecificationError.self) { try Recency { $0.events = 0 } }
    #expect(throws: SpecificationError.self) { try ThompsonSampling { $0.prior = 0 } }
    #expect(throws: SpecificationError.self) { try PartialMatching { $0.order = -1 } }
    #expect(try HalfLife { $0.days = 2.5 }.specification.description == "half-life:days=2.5")
  }

  @Test("the most likely option is the first of the highest; without options there is none")
  func mostLikely() {
    #expect(Forecast(confidences: [0.1, 0.5, 0.5], isBlind: false).mostLikely == 1)
    #expect(Forecast(confidences: [], isBlind: true).mostLikely == nil)
  }

  @Test(
    "what was learned is refused when it is damaged",
    arguments: [
      #"{"predictor":"nobody","memory":{"optionCount":1}}"#,
      #"{"predictor":"uniform","memory":{"optionCount":-1}}"#,
      #"{"predictor":"uniform","memory":{"optionCount":1000000000000}}"#,
      #"{"predictor":"beauchamp","memory":{"takes":[-1],"encounters":0}}"#,
      #"{"predictor":"last","memory":{"optionCount":1,"last":1,"hasPredecessor":true,"pairs":1,"repeats":0}}"#,
      #"{"predictor":"half-life:days=5","memory":{"days":4,"shares":[],"encounters":0,"asOf":0}}"#,
      #"{"predictor":"half-life:days=5","memory":{"days":5,"shares":[],"encounters":0,"asOf":1}}"#,
      #"{"predictor":"half-life:days=5","memory":{"days":5,"shares":[],"encounters":0,"latest":9e18,"asOf":0}}"#,
      #"{"predictor":"calendar","memory":{"buckets":"hour","offset":0,"strength":5,"counts":{"takes":[1]},"takes":[1]}}"#,
      #"{"predictor":"calendar","memory":{"buckets":"hour","offset":1,"strength":5,"counts":{"takes":[]},"takes":[]}}"#,
      #"{"predictor":"ctw:depth=1","memory":{"ratios":[],"history":{"order":1,"takes":[],"symbols":[],"nextSymbol":0,"recent":[],"tree":{"contexts":[],"followers":[]}}}}"#,
      #"{"predictor":"ctw:depth=1","memory":{"ratios":[0],"history":{"order":1,"takes":[],"symbols":[],"nextSymbol":0,"recent":[],"tree":{"contexts":[],"followers":[]}}}}"#,
      #"{"predictor":"frequency","memory":{"smoothing":2,"counts":{"takes":[]}}}"#,
      #"{"predictor":"frequency","memory":{"smoothing":1,"counts":{"takes":[-1]}}}"#,
      #"{"predictor":"recency","memory":{"events":20,"shares":[],"encounters":0,"unit":0}}"#,
      #"{"predictor":"recency","memory":{"events":19,"shares":[],"encounters":0,"unit":1}}"#,
      #"{"predictor":"thompson","memory":{"prior":2,"counts":{"takes":[]}}}"#,
      #"{"predictor":"ppm:order=1","memory":{"history":{"order":1,"takes":[],"symbols":[],"nextSymbol":0,"recent":[],"tree":{"contexts":[-1,0],"followers":[0,-1,1]}}}}"#,
      #"{"predictor":"markov:order=1","memory":{"history":{"order":2,"takes":[],"symbols":[],"nextSymbol":0,"recent":[],"tree":{"contexts":[],"followers":[]}}}}"#,
      #"{"predictor":"markov:order=1","memory":{"history":{"order":1,"takes":[1],"symbols":[],"nextSymbol":0,"recent":[],"tree":{"contexts":[],"followers":[]}}}}"#,
      #"{"predictor":"ppm:order=1","memory":{"history":{"order":1,"takes":[],"symbols":[],"nextSymbol":0,"recent":[],"tree":{"contexts":[0,1],"followers":[]}}}}"#,
      #"{"predictor":"ppm:order=1","memory":{"history":{"order":1,"takes":[],"symbols":[],"nextSymbol":0,"recent":[],"tree":{"contexts":[-1],"followers":[]}}}}"#,
      #"{"predictor":"ppm:order=1","memory":{"history":{"order":1,"takes":[],"symbols":[],"nextSymbol":0,"recent":[],"tree":{"contexts":[-1,0],"followers":[1,0,1]}}}}"#,
    ])
  func damaged(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Predictor.Learning.self, from: Data(json.utf8))
    }
  }
}
