// swift-tools-version: 6.1

import PackageDescription

// What is fuzzed is `package`, not public. SwiftPM calls a package by its folder.
let asRecordPack: [SwiftSetting] = [
  .unsafeFlags(
    [
      "-package-name",
      Context.packageDirectory.split(separator: "/").dropLast().last?.lowercased() ?? "recordpack",
    ])
]

// Built by `run`, which adds libFuzzer and the instrumentation.
let package = Package(
  name: "RecordPackFuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RecordPack", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "RecordPackFuzz",
      dependencies: [
        "CLibFuzzer",
        .product(name: "RecordPack", package: "RecordPack"),
        .product(name: "RecordSchema", package: "RecordPack"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      packageAccess: false, swiftSettings: asRecordPack),
  ],
  swiftLanguageModes: [.v6]
)
