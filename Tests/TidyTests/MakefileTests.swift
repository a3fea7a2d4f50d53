import Testing

/// The Makefile has the targets that are documented, documents those that it has, and lists the package's libraries.
@Suite("Makefile")
struct MakefileTests {
  private let makefile: Makefile

  init() throws {
    makefile = Makefile(try Repository.text("Makefile"))
  }

  @Test("make help lists every target but those that only other targets need")
  func help() {
    let needed = Set(makefile.rules.values.flatMap(\.prerequisites))
    #expect(makefile.rules.count > 10)
    for (target, rule) in makefile.rules where !needed.contains(target) {
      #expect(rule.isListed, "make help does not list \(target): its line has no ##")
    }
    for target in needed {
      #expect(makefile.rules[target] != nil, "there is no rule for \(target)")
    }
  }

  @Test("every target is phony, and every phony target has a rule")
  func phony() {
    #expect(makefile.phony == Set(makefile.rules.keys))
  }

  @Test("every target that the documentation names is there, and make help lists it")
  func documented() throws {
    let named = DocumentedCommands(try Repository.pages()).makeTargets
    #expect(named.isSuperset(of: ["demo", "test", "help"]))
    for target in named {
      #expect(makefile.rules[target]?.isListed == true, "make \(target)")
    }
  }

  @Test("make docs documents the libraries that the package offers")
  func libraries() throws {
    let package = try Repository.text("Package.swift")
    let products = package.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
    #expect(!products.isEmpty)
    let documented = try #require(makefile.variables["LIBRARIES"])
    #expect(documented.sorted() == products.sorted())
  }

  @Test("rules are told from variables, commands and help")
  func sample() {
    let sample = Makefile(
      """
      LIBRARIES := Events \\
        EventLog
      .PHONY: help build \\
        docs
      help: ## list the targets
      \t@grep -E '^[a-z-]+:.*## ' Makefile
      build: # the command
      docs: export MODE := pages
      docs: build help ## write the pages
      \t@make clean
      """)
    #expect(sample.variables == ["LIBRARIES": ["Events", "EventLog"]])
    #expect(sample.phony == ["help", "build", "docs"])
    #expect(
      sample.rules == [
        "help": Makefile.Rule(prerequisites: [], isListed: true),
        "build": Makefile.Rule(prerequisites: [], isListed: false),
        "docs": Makefile.Rule(prerequisites: ["build", "help"], isListed: true),
      ])
    let pages = ["Run `make docs`, or make tea.", "```\n$ make build\nmake help # all\n```"]
    #expect(DocumentedCommands(pages).makeTargets == ["docs", "build", "help"])
  }
}
