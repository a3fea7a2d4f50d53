// swift-tools-version: 6.2

import PackageDescription

/// Every Swift target is compiled with these: explicit existentials and imports, unsafe code marked
/// where it stands, and no warning left for later.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "bandolier",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "bandolier", targets: ["bandolier"]),
    .library(name: "Arrow", targets: ["Arrow"]),
    .library(name: "Events", targets: ["Events"]),
    .library(name: "EventLog", targets: ["EventLog"]),
    .library(name: "Deciding", targets: ["Deciding"]),
    .library(name: "DecidingAgents", targets: ["DecidingAgents"]),
    .library(name: "DecidingConfig", targets: ["DecidingConfig"]),
    .library(name: "DecidingCore", targets: ["DecidingCore"]),
    .library(name: "DecidingExperiments", targets: ["DecidingExperiments"]),
    .library(name: "DecidingOverHTTP", targets: ["DecidingOverHTTP"]),
    .library(name: "DecidingRollouts", targets: ["DecidingRollouts"]),
    .library(name: "DecidingStudies", targets: ["DecidingStudies"]),
    .library(name: "Bandits", targets: ["Bandits"]),
    .library(name: "Prediction", targets: ["Prediction"]),
    .library(name: "Replay", targets: ["Replay"]),
    .library(name: "OffPolicy", targets: ["OffPolicy"]),
    .library(name: "Service", targets: ["Service"]),
    .library(name: "Interchange", targets: ["Interchange"]),
    .library(name: "Specifications", targets: ["Specifications"]),
    .library(name: "Statistics", targets: ["Statistics"]),
    .library(name: "Plots", targets: ["Plots"]),
    .library(name: "Tables", targets: ["Tables"]),
    .library(name: "Reports", targets: ["Reports"]),
    .library(name: "Projections", targets: ["Projections"]),
    .library(name: "Simulations", targets: ["Simulations"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(name: "CChecksum"),
    .target(name: "CElementary"),
    .target(name: "CSquareRoot"),
    .target(name: "CMemory"),
    // Only `make build` knows the commit; one file depends on it.
    .target(
      name: "CCommit",
      cSettings: (Context.environment["BANDOLIER_COMMIT"]).map {
        [.define("BANDOLIER_COMMIT", to: "\"\($0)\"")]
      }),
    .target(name: "Platform", dependencies: ["CMemory"], swiftSettings: strict),
    .target(name: "Specifications", swiftSettings: strict),
    .target(name: "YAML", dependencies: ["CYAML"], swiftSettings: strict),
    .target(name: "Threads", dependencies: ["Platform"], swiftSettings: strict),
    .target(name: "Arrow", swiftSettings: strict),
    .target(name: "Events", dependencies: ["Specifications"], swiftSettings: strict),
    .target(
      name: "EventLog",
      dependencies: ["CChecksum", "CMemory", "CZlib", "Events", "Platform", "Specifications", "Threads"],
      swiftSettings: strict),
    .target(
      name: "Statistics", dependencies: ["CElementary", "Specifications"], swiftSettings: strict,
      // Rounding to whole numbers is a call on processors without the instruction.
      linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "Bandits", dependencies: ["CSquareRoot", "Statistics", "Specifications"],
      swiftSettings: strict),
    .target(
      name: "Prediction", dependencies: ["Statistics", "Specifications"], swiftSettings: strict),
    .target(
      name: "DecidingCore",
      dependencies: ["Events", "Platform", "Specifications", "Statistics", "Threads"],
      swiftSettings: strict),
    .target(
      name: "DecidingAgents",
      dependencies: [
        "Bandits", "DecidingCore", "Events", "Statistics", "Threads", "Specifications",
      ],
      swiftSettings: strict),
    .target(
      name: "DecidingExperiments",
      dependencies: ["Bandits", "DecidingCore", "Events", "Specifications", "Threads"],
      swiftSettings: strict),
    .target(
      name: "DecidingRollouts",
      dependencies: ["DecidingCore", "Events", "Specifications", "Threads"],
      swiftSettings: strict),
    .target(
      name: "DecidingConfig",
      dependencies: ["DecidingCore", "Events", "Specifications", "Threads"],
      swiftSettings: strict),
    .target(
      name: "DecidingStudies",
      dependencies: ["DecidingCore", "Events", "Prediction", "Specifications", "Threads"],
      swiftSettings: strict),
    .target(
      name: "Deciding",
      dependencies: [
        "Bandits", "DecidingAgents", "DecidingConfig", "DecidingCore", "DecidingExperiments",
        "DecidingRollouts", "DecidingStudies", "Events", "Specifications",
      ],
      swiftSettings: strict),
    .target(
      name: "DecidingOverHTTP",
      dependencies: [
        "DecidingAgents", "DecidingConfig", "DecidingCore", "DecidingExperiments", "Events",
        "Specifications", "Threads",
      ],
      swiftSettings: strict),
    .target(
      name: "Replay",
      dependencies: [
        "EventLog", "Events", "Platform", "Prediction", "Specifications", "Statistics", "Threads",
      ],
      swiftSettings: strict),
    .target(
      name: "OffPolicy",
      dependencies: [
        "Bandits", "EventLog", "Events", "Replay", "Specifications", "Statistics", "Threads",
      ],
      swiftSettings: strict),
    .target(
      name: "Scenarios", dependencies: ["Events", "Statistics", "Specifications"],
      swiftSettings: strict),
    .target(
      name: "Interchange",
      dependencies: [
        "Arrow", "CMemory", "EventLog", "Events", "Platform", "Specifications", "Threads",
      ],
      swiftSettings: strict),
    .target(
      name: "Plots", dependencies: ["Specifications", "Statistics"], swiftSettings: strict),
    .target(
      name: "Tables", dependencies: ["Statistics", "Platform", "Specifications"],
      swiftSettings: strict),
    .target(
      name: "Reports",
      dependencies: [
        "Bandits", "EventLog", "Events", "OffPolicy", "Plots", "Prediction", "Replay",
        "Specifications", "Statistics", "Tables", "YAML",
      ],
      // Embedded: the command is one file, and needs no bundle beside it.
      resources: [
        .embedInCode("Book/Page/Resources/page.css"), .embedInCode("Book/Page/Resources/page.js"),
      ],
      swiftSettings: strict),
    .target(
      name: "Projections",
      dependencies: [
        "CSQLite", "EventLog", "Events", "Platform", "Replay", "Reports", "Specifications",
        "Statistics", "Tables", "Threads",
      ],
      swiftSettings: strict),
    .target(
      name: "Simulations",
      dependencies: [
        "Bandits", "CChecksum", "Events", "Platform", "Plots", "Specifications", "Statistics",
        "Tables", "Threads", "YAML",
      ],
      swiftSettings: strict),
    .target(
      name: "Service",
      dependencies: [
        "DecidingAgents", "DecidingCore", "DecidingExperiments",
        "DecidingRollouts", "EventLog", "Events", "Interchange", "Platform", "Replay",
        "Reports", "Specifications", "Tables", "Threads",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "bandolier",
      dependencies: [
        "Bandits", "CCommit", "Deciding", "DecidingAgents", "DecidingConfig", "DecidingCore",
        "DecidingExperiments", "DecidingRollouts", "DecidingStudies", "EventLog", "Events",
        "Interchange", "OffPolicy", "Platform", "Prediction", "Projections", "Replay", "Reports",
        "Scenarios", "Simulations", "Specifications", "Statistics", "Tables", "Threads", "YAML",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "bandolier-bench",
      dependencies: [
        "Bandits", "Deciding", "EventLog", "Events", "Platform", "Prediction", "Replay",
        "Simulations", "Statistics", "Tables", "Threads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Benchmarks", exclude: ["peers"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["Events", "EventLog", "Threads", "Platform"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "ArrowTests", dependencies: ["Arrow", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ThreadsTests", dependencies: ["Threads", "TestSupport", "Platform"],
      swiftSettings: strict),
    .testTarget(
      name: "EventsTests", dependencies: ["Events", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "EventLogTests",
      dependencies: ["EventLog", "Events", "Threads", "CZlib", "TestSupport", "Platform"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "SpecificationsTests", dependencies: ["Specifications", "Statistics", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "YAMLTests", dependencies: ["YAML", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "StatisticsTests",
      dependencies: ["CElementary", "EventLog", "Statistics", "TestSupport", "Specifications"],
      exclude: ["Elementary/References"], swiftSettings: strict),
    .testTarget(
      name: "ScenariosTests",
      dependencies: ["Scenarios", "Events", "Specifications", "Statistics", "TestSupport", "Platform"],
      swiftSettings: strict),
    .testTarget(
      name: "BanditsTests",
      dependencies: ["Bandits", "OffPolicy", "Statistics", "TestSupport", "Specifications"],
      swiftSettings: strict),
    .testTarget(
      name: "PredictionTests",
      dependencies: ["Prediction", "Statistics", "TestSupport", "Specifications"],
      swiftSettings: strict),
    .testTarget(
      name: "DecidingTests",
      dependencies: [
        "Specifications",
        "Deciding", "DecidingAgents", "DecidingConfig", "DecidingCore", "DecidingExperiments",
        "DecidingOverHTTP", "DecidingRollouts", "DecidingStudies", "Events", "EventLog", "Threads",
        "Bandits", "OffPolicy", "Prediction", "Statistics", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DecidingOverHTTPTests",
      dependencies: [
        "DecidingOverHTTP", "DecidingAgents", "DecidingConfig", "DecidingCore",
        "DecidingExperiments", "Events", "TestSupport", "Threads",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReplayTests",
      dependencies: [
        "Bandits", "EventLog", "Events", "OffPolicy", "Platform", "Prediction", "Replay",
        "Scenarios", "Specifications", "Statistics", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OffPolicyTests",
      dependencies: ["Bandits", "OffPolicy", "Specifications", "Statistics", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "InterchangeTests",
      dependencies: [
        "Arrow", "EventLog", "Events", "Interchange", "Platform", "Specifications", "TestSupport",
        "Threads",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlotsTests", dependencies: ["Plots"], exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "TablesTests", dependencies: ["Tables", "TestSupport", "Platform"],
      swiftSettings: strict),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Bandits", "DecidingCore", "EventLog", "Events", "OffPolicy", "Platform", "Plots",
        "Prediction", "Replay", "Reports", "Specifications", "Statistics", "Tables", "TestSupport",
      ],
      exclude: ["Book/Page/Browser"],
      swiftSettings: strict),
    .testTarget(
      name: "ProjectionsTests",
      dependencies: [
        "CSQLite", "EventLog", "Events", "Platform", "Projections", "Replay", "Reports",
        "Specifications", "Tables", "TestSupport", "Threads",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationsTests",
      dependencies: ["Simulations", "Bandits", "Tables", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Bandits", "DecidingAgents", "DecidingCore", "DecidingExperiments", "DecidingRollouts",
        "EventLog", "Events", "Platform", "Replay", "Reports", "Service", "Statistics", "Tables",
        "TestSupport", "Threads",
      ],
      swiftSettings: strict),
    // Sees what another package sees.
    .testTarget(
      name: "Adopter",
      dependencies: [
        "Bandits", "Deciding", "EventLog", "Events", "Interchange", "OffPolicy", "Prediction",
        "Replay", "Reports", "Simulations", "Specifications", "Statistics", "Tables", "TestSupport",
      ],
      packageAccess: false, swiftSettings: strict),
    .testTarget(name: "TidyTests", exclude: ["line-budget.txt"], swiftSettings: strict),
    // The examples of README.md and of the DocC catalogues, which see the public API only.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Arrow", "Bandits", "Deciding", "DecidingAgents", "DecidingConfig", "DecidingCore",
        "DecidingExperiments", "DecidingOverHTTP", "DecidingRollouts", "DecidingStudies",
        "EventLog", "Events", "Interchange", "OffPolicy", "Plots", "Prediction", "Projections",
        "Replay", "Reports", "Service", "Simulations", "Specifications", "Statistics", "Tables",
        "TestSupport",
      ],
      packageAccess: false, swiftSettings: strict),
    // A report that is declared in one file, seen through every door.
    .testTarget(
      name: "OwnReportTests",
      dependencies: [
        "EventLog", "Events", "Plots", "Projections", "Replay", "Reports", "Service", "Tables",
        "TestSupport", "bandolier",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests", dependencies: ["bandolier", "TestSupport", "Platform"],
      exclude: ["Samples"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// `BANDOLIER_TESTS=ReplayTests,ReportsTests swift test` builds and runs those test targets only.
if let names = Context.environment["BANDOLIER_TESTS"] {
  let chosen = names.split(separator: ",").map(String.init)
  package.targets.removeAll { $0.isTest && !chosen.contains($0.name) }
}

// `make docs` builds the documentation with a plugin that no other build resolves.
if Context.environment["BANDOLIER_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}

// `make serve` builds the command `bandolier-serve`, which needs Hummingbird: five minutes of processor time that no
// other build takes.
if Context.environment["BANDOLIER_SERVE"] != nil {
  package.products.append(.executable(name: "bandolier-serve", targets: ["bandolier-serve"]))
  package.dependencies += [
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.34.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ]
  package.targets.append(
    .executableTarget(
      name: "bandolier-serve",
      dependencies: [
        "Deciding", "DecidingAgents", "DecidingCore", "DecidingExperiments", "DecidingRollouts",
        "Events", "Interchange", "OffPolicy", "Platform", "Replay", "Service", "Specifications",
        "Tables", "Threads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict))
}

// `make fuzz` builds the fuzz targets as a command of its own, in place of the tests, whose harness they
// share; see Tests/Fuzz/README.md. No other build sees them.
if Context.environment["BANDOLIER_FUZZ"] != nil {
  package.targets.removeAll { $0.isTest }
  package.targets.append(
    .executableTarget(
      name: "bandolier-fuzz",
      dependencies: ["Arrow", "EventLog", "Events", "Interchange", "Platform", "Specifications"],
      path: "Tests",
      sources: [
        "Fuzz/Driver", "InterchangeTests/Fuzz", "EventLogTests/Fuzz",
        "EventLogTests/ForgedSegment.swift",
        "EventLogTests/MemoryDisk.swift", "EventLogTests/EveryEncodingLog.swift",
      ],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// `make test` compiles without optimization, except for the modules
// in which they spend most of it: with these optimized the tests take ten minutes, and the build no longer.
if Context.environment["BANDOLIER_TESTED"] != nil {
  let modules = ["Events", "EventLog", "OffPolicy", "Replay", "Statistics", "Threads"]
  for target in package.targets where modules.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-O"]))
  }
}
