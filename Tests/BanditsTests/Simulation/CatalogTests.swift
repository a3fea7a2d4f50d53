import Foundation
import Specifications
import Testing

@testable import Bandits

/// What stands in the files of a folder of this package, by their paths in it.
private func texts(_ folder: String) throws -> [(path: String, text: String)] {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.allObjects ?? []
  return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map {
    ($0, try String(contentsOfFile: "\(root)/\(folder)/\($0)", encoding: .utf8))
  }
}

/// The names under which a folder's types say what there is to say about them.
private func guides(_ folder: String) throws -> [(path: String, name: String)] {
  try texts(folder).flatMap { path, text in
    text.matches(
      of:
        /(?:let|var) info(?:: SpecificationInfo)?(?: = SpecificationInfo\(| \{\s*SpecificationInfo\()\s*"([^"]+)"/
    ).map {
      (path, String($0.1))
    }
  }
}

@Suite("The lists of policies and environments")
struct CatalogTests {
  @Test("every policy with a file is listed once")
  func policies() throws {
    let written = try guides("Sources/Bandits/Policies")
    #expect(written.map(\.name).sorted() == Policies.all.map(\.name))
    #expect(Set(Policies.all.map(\.name)).count == Policies.all.count && Policies.all.count > 50)
  }

  @Test("every environment with a file is listed once")
  func environments() throws {
    let written = try guides("Sources/Bandits/Environments")
    #expect(written.map(\.name).sorted() == Environments.all.map(\.name))
    #expect(Environments.all.count > 15)
  }

  @Test("each has a summary, parameters and a citation")
  func documented() {
    for info in Policies.all + Environments.all {
      #expect(!info.summary.isEmpty && !info.source.isEmpty, "\(info.name)")
      #expect(!info.summary.hasSuffix(".") && !info.summary.contains("\n"), "\(info.name)")
      for parameter in info.parameters {
        #expect(!parameter.key.isEmpty && !parameter.meaning.isEmpty, "\(info.name)")
      }
    }
  }

  @Test("each has a family, and listings have each once, by family")
  func families() {
    for (all, byFamily) in [
      (Policies.all, PolicyCatalog.standard.byFamily), (Environments.all, Environments.byFamily),
    ] {
      #expect(all.filter(\.family.isEmpty).map(\.name) == [])
      #expect(byFamily.map(\.name).sorted() == all.map(\.name))
      let families = byFamily.map(\.family)
      let changes = zip(families, families.dropFirst()).count { $0 != $1 }
      #expect(changes + 1 == Set(families).count)
    }
  }

  @Test("each of them is named in a test of its own")
  func covered() throws {
    let tests = try texts("Tests/BanditsTests").filter { !$0.path.hasSuffix("CatalogTests.swift") }
      .map(\.text).joined()
    for info in Policies.all + Environments.all {
      let name = NSRegularExpression.escapedPattern(for: info.name)
      #expect(
        tests.range(of: "[\"(]\(name)[\":,)]", options: .regularExpression) != nil,
        "no test names \(info.name)")
    }
  }

  @Test("a policy with required parameters reports which are missing")
  func needed() {
    for info in Policies.all where info.parameters.contains(where: { $0.standard == nil }) {
      do throws(SpecificationError) {
        _ = try Policies.named(info.name, variants: ["1", "2"])
      } catch {
        #expect(error.description.contains(info.name), "\(error)")
      }
    }
  }
}
