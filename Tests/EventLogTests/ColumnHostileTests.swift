import Events
import Testing

@testable import EventLog

@Suite("Columns of choices, probabilities and attributes of a crafted log")
struct ColumnHostileTests {
  private static let events: [Event] = (0..<4).map { number in
    var context: Attributes = ["name": .text("x\(number)")]
    var choices: [VariantID] = ["v1"]
    if number == 1 {
      context = ["other": "y", "name": "x"]
      choices.append("v2")
    }
    let decision = Decision(
      experiment: "e", variant: "v1", choices: choices,
      probabilities: choices.map { _ in 1 / Double(choices.count) }, context: context)
    return Event(
      time: Timestamp(microseconds: Int64(number)), unit: "u", payload: .decision(decision))
  }

  /// Decisions with features only: shape 2 has a size of v1, shape 3 a size and a weight of v1 and a size of v2.
  private static let withFeatures: [Event] = (0..<4).map { number in
    var features: Features = ["v1": ["size": .text("s\(number)")]]
    if number == 1 { features = ["v1": ["size": "s1", "weight": "w"], "v2": ["size": "x"]] }
    return Event(
      time: Timestamp(microseconds: Int64(number)), unit: "u",
      payload: .decision(Decision(experiment: "e", variant: "v1", features: features)))
  }

  /// A log of the events in one frame, edited.
  private func log(
    _ events: [Event] = events, _ edit: (inout FrameEditor) throws -> Void
  ) throws -> SmallLog {
    var log = try SmallLog([events], isClosed: false)
    let reader = try log.reader()
    var editor = try FrameEditor(try #require(reader.frames.first), of: reader)
    try edit(&editor)
    log.files[log.last]?.removeLast(Int(reader.frames[0].header.length))
    log.files[log.last]? += editor.bytes
    return log
  }

  /// Leaves a name of a vocabulary out of its chunk.
  private func erase(_ index: Int, of vocabulary: Vocabulary, in editor: inout FrameEditor) throws {
    try editor.change(.names(vocabulary)) { entry, raw in
      let names = try NameChunk(raw[...], entry)
      var kept = TextList()
      for (place, name) in names.enumerated() where place != index { kept.append(name ?? []) }
      raw = []
      Bitmap(count: names.count) { $0 != index }.write(to: &raw)
      TextStream.write(kept, to: &raw)
      entry.hasGaps = true
    }
  }

  private func kinds(
    _ reader: LogReader, _ columns: EventColumns, _ selections: [AttributeSelection]
  ) throws -> [Bool] {
    var hidden: [Bool] = []
    try reader.forEachBatch(columns, selections) { batch in
      hidden += batch.kinds.map { $0 == AbsentKind.lost }
    }
    return hidden
  }

  @Test("a lost name stops the replay of its column, or hides the events that use it")
  func erased() throws {
    // What is erased, who asks for it, and the rows that are lost to them.
    let cases: [(Vocabulary, Int, EventColumns, [AttributeSelection], [Int])] = [
      (.variants, 1, .choices, [], [1]), (.lists, 0, .choices, [], [0, 2, 3]),
      (.attributes, 1, [], [.context("name")], [1]), (.values, 0, [], [.context("name")], [0]),
      (.values, 0, [], [.context("other")], []), (.attributes, 1, [], [.data], []),
      (.lists, 0, [], [.context("name")], []), (.attributes, 0, .choices, [], []),
    ]
    for (vocabulary, index, columns, selections, lost) in cases {
      let words = "\(vocabulary) \(index) for \(columns) \(selections)"
      let log = try log { try erase(index, of: vocabulary, in: &$0) }
      if !lost.isEmpty {
        let error = #expect(throws: LogError.self) {
          try log.reader().forEachBatch(columns, selections) { _ in }
        }
        #expect(error?.message.contains("has no name") == true, "\(words)")
      }
      let reader = try log.reader(.skip)
      #expect(
        try kinds(reader, columns, selections) == (0..<4).map { lost.contains($0) }, "\(words)")
      #expect(reader.lostPositions == Set(lost.map { UInt64($0) }), "\(words)")
      #expect(reader.losses.allSatisfy { $0.reason == LogReader.lostName })
    }
  }

  @Test("a lost shape loses all events of the frame")
  func lostShape() throws {
    let log = try log { try erase(0, of: .shapes, in: &$0) }
    let error = #expect(throws: LogError.self) {
      try log.reader().forEachBatch([], [.context("name")]) { _ in }
    }
    #expect(error?.message.contains("shape 2: it is lost") == true)
    let reader = try log.reader(.skip)
    #expect(try kinds(reader, [], [.context("name")]).isEmpty)
    #expect(reader.lostPositions == [0, 1, 2, 3])
  }

  @Test("false counts and codes are refused")
  func lies() throws {
    let lies: [(EventColumns, [AttributeSelection], (inout FrameEditor) -> Void)] = [
      (.probabilities, [], { $0.set(.probabilityCount, [2, 3, 2, 3]) }),
      (.probabilities, [], { $0.set(.probabilityCount, [2, 3, 2, 1]) }),
      (.probabilities, [], { $0.set(.probabilityCount, [2, 3, 2, 1 << 40]) }),
      (.probabilities, [], { $0.set(.probabilityCount, [Int64(Int32.max), 3, 2, 2]) }),
      (.probabilities, [], { $0.remove(.probabilities) }),
      (.choices, [], { $0.set(.choices, [2, 3, 2, 99]) }),
      (.choices, [], { $0.set(.choices, [2, 3, 2, 1]) }),
      (.choices, [], { Self.replace(.lists, with: [[2, 1], [1, 1]], in: &$0) }),
      (.choices, [], { Self.replace(.lists, with: [[1, 1, 1], [1, 1]], in: &$0) }),
      (.choices, [], { Self.replace(.lists, with: [[1, 77], [1, 1]], in: &$0) }),
      ([], [.context("name")], { $0.set(.context, [2, 3, 2, 1]) }),
      ([], [.context("name")], { $0.set(.context, [2, 3, 2, 0]) }),
      ([], [.context("name")], { $0.set(.context, [2, 3, 2, 77]) }),
      ([], [.context("name")], { Self.replace(.shapes, with: [[1, 6], [1, 255]], in: &$0) }),
      ([], [.context("name")], { Self.replace(.shapes, with: [[1, 4], [1, 6]], in: &$0) }),
      ([], [.context("name")], { $0.remove(.attribute(.context, .text)) }),
      ([], [.data], { $0.set(.kind, [1, 1, 1, 256]) }),
    ]
    for (index, (columns, selections, lie)) in lies.enumerated() {
      let log = try log { lie(&$0) }
      let error = #expect(throws: LogError.self, "lie \(index)") {
        try log.reader().forEachBatch(columns, selections) { _ in }
      }
      #expect(error?.code == .damaged, "lie \(index)")
      let reader = try log.reader(.skip)
      let hidden = try kinds(reader, columns, selections)
      #expect(hidden.isEmpty || hidden.contains(true), "lie \(index)")
      #expect(!reader.losses.isEmpty, "lie \(index)")
    }
  }

  private static func replace(
    _ vocabulary: Vocabulary, with texts: [[UInt8]], in editor: inout FrameEditor
  ) {
    editor.change(.names(vocabulary)) { entry, raw in
      var list = TextList()
      for text in texts { list.append(text) }
      raw = []
      TextStream.write(list, to: &raw)
      entry.values = UInt32(texts.count)
    }
  }

  @Test("a lost name hides the events with features that use it")
  func erasedFeatures() throws {
    // Values in order: s0, s1, w, x, s2, s3.
    let cases: [(Vocabulary, Int, String, [Int])] = [
      (.variants, 1, "size", [1]), (.variants, 1, "nowhere", [1]), (.attributes, 1, "size", [1]),
      (.attributes, 0, "weight", [0, 1, 2, 3]), (.values, 0, "size", [0]),
      (.values, 0, "weight", []),
      (.values, 2, "size", []), (.values, 2, "weight", [1]), (.values, 3, "size", [1]),
    ]
    for (vocabulary, index, name, lost) in cases {
      let words = "\(vocabulary) \(index) for \(name)"
      let log = try log(Self.withFeatures) { try erase(index, of: vocabulary, in: &$0) }
      let reader = try log.reader(.skip)
      #expect(
        try kinds(reader, [], [.features(name)]) == (0..<4).map { lost.contains($0) }, "\(words)")
      #expect(reader.lostPositions == Set(lost.map { UInt64($0) }), "\(words)")
      guard !lost.isEmpty else { continue }
      let error = #expect(throws: LogError.self) {
        try log.reader().forEachBatch([], [.features(name)]) { _ in }
      }
      #expect(error?.message.contains("has no name") == true, "\(words)")
    }
  }

  @Test("false shapes of features are refused")
  func featureLies() throws {
    let lies: [(inout FrameEditor) -> Void] = [
      { $0.set(.features, [2, 3, 2, 1]) }, { $0.set(.features, [2, 3, 2, 0]) },
      { $0.set(.features, [2, 3, 2, 77]) }, { $0.set(.features, [3, 3, 2, 2]) },
      { $0.remove(.attribute(.features, .text)) },
      { Self.replace(.shapes, with: [[1, 1, 1, 6], [9]], in: &$0) },
      { Self.replace(.shapes, with: [[1, 1, 1, 6], [2, 1, 1, 6, 77, 1, 6]], in: &$0) },
      { Self.replace(.shapes, with: [[1, 1, 1, 6], [2, 1, 2, 6, 255, 1, 6]], in: &$0) },
      { Self.replace(.shapes, with: [[1, 1, 1, 4], [2, 1, 2, 6, 10, 2, 1, 6]], in: &$0) },
      { Self.replace(.shapes, with: [[1, 1, 1, 6], [2, 1, 2, 6, 10, 1, 6]], in: &$0) },
    ]
    for (index, lie) in lies.enumerated() {
      let log = try log(Self.withFeatures) { lie(&$0) }
      let error = #expect(throws: LogError.self, "lie \(index)") {
        try log.reader().forEachBatch([], [.features("size")]) { _ in }
      }
      #expect(error?.code == .damaged, "lie \(index)")
      let reader = try log.reader(.skip)
      let hidden = try kinds(reader, [], [.features("size")])
      #expect(hidden.isEmpty || hidden.contains(true), "lie \(index)")
      #expect(!reader.losses.isEmpty, "lie \(index)")
    }
  }

  @Test("negative counts and unknown types are ignored")
  func nothing() throws {
    let log = try log { editor in
      editor.set(.probabilityCount, [-7, 4, 3, 1])
    }
    try log.reader().forEachBatch(.probabilities) { batch in
      #expect((0..<4).map { batch.probabilities[$0]?.count } == [nil, 3, 2, 0])
      var seen: [Int] = []
      batch.probabilities.forEach { row, own in
        seen.append(row)
        #expect(own == batch.probabilities[row])
      }
      #expect(seen == [1, 2, 3])
    }
  }
}
