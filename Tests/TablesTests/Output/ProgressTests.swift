import TestSupport
import Testing

@testable import Tables

/// A clock that is set by hand and the output that was written.
private final class Stage {
  var nanoseconds: UInt64 = 5_000_000_000
  var written: [String] = []

  func progress(
    _ mode: ProgressMode, isTerminal: Bool, total: Int? = 2_000_000, width: Int = 80,
    unit: Progress.Unit = .count("events")
  ) -> Progress {
    Progress(
      label: "replaying", total: total, unit: unit, mode: mode, isTerminal: isTerminal,
      width: width, clock: { self.nanoseconds }, output: { self.written.append(text($0)) })
  }

  func wait(milliseconds: UInt64) { nanoseconds += milliseconds * 1_000_000 }
}

@Suite("A progress line")
struct ProgressTests {
  @Test("rewrites itself on a terminal and is gone at the end")
  func terminal() {
    let stage = Stage()
    var progress = stage.progress(.auto, isTerminal: true)
    stage.wait(milliseconds: 500)
    progress.update(done: 1_234_567)
    #expect(
      stage.written == ["\rreplaying  1.2M/2.0M events  61 %  2.4M events/s\u{1B}[K"])
    progress.finish()
    #expect(stage.written.last == "\r\u{1B}[K")
    progress.finish()
    #expect(stage.written.count == 2)
  }

  @Test("is written at most every 100 ms, and not before the first are over")
  func interval() {
    let stage = Stage()
    var progress = stage.progress(.always, isTerminal: true)
    for done in 0..<1_000 {
      progress.update(done: done)
      stage.wait(milliseconds: 1)
    }
    #expect(stage.written.count == 9)
  }

  @Test("leaves a short task without a trace")
  func short() {
    let stage = Stage()
    var progress = stage.progress(.auto, isTerminal: true)
    stage.wait(milliseconds: 99)
    progress.update(done: 10)
    progress.finish()
    #expect(stage.written.isEmpty)
  }

  @Test("is silent under never, and under auto when there is no terminal")
  func silent() {
    for (mode, isTerminal) in [(ProgressMode.never, true), (.never, false), (.auto, false)] {
      let stage = Stage()
      var progress = stage.progress(mode, isTerminal: isTerminal)
      stage.wait(milliseconds: 10_000)
      progress.update(done: 5)
      progress.finish()
      #expect(stage.written.isEmpty)
    }
  }

  @Test("is whole lines under always when there is no terminal, the last with the last state")
  func lines() {
    let stage = Stage()
    var progress = stage.progress(.always, isTerminal: false, total: nil)
    for done in 1...25 {
      stage.wait(milliseconds: 100)
      progress.update(done: done * 1_000)
    }
    progress.finish()
    progress.finish()
    #expect(
      stage.written == [
        "replaying  10k events  10k events/s\n", "replaying  20k events  10k events/s\n",
        "replaying  25k events  10k events/s\n",
      ])
  }

  @Test("is never wider than the terminal")
  func narrow() {
    for width in [1, 2, 10, 30] {
      let stage = Stage()
      var progress = stage.progress(.always, isTerminal: true, width: width)
      stage.wait(milliseconds: 200)
      progress.update(done: 1)
      let line = stage.written.joined().dropFirst().dropLast(3)
      #expect(TerminalText.width(String(line)) <= max(width - 1, 1))
    }
  }

  @Test("survives clocks that go back and amounts out of range")
  func hostile() {
    for (done, total) in [(Int.max, 1), (.min, .max), (5, 0), (-1, -1), (0, Int.min)] {
      let stage = Stage()
      var progress = stage.progress(.always, isTerminal: true, total: total, unit: .bytes)
      stage.wait(milliseconds: 100)
      progress.update(done: done)
      stage.nanoseconds = 0
      progress.update(done: done)
      progress.finish()
      #expect(stage.written.count == 2)
    }
  }
}
