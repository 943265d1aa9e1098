// swift-tools-version: 6.1

import PackageDescription

// What is measured is `package`, not public. SwiftPM calls a package by its folder.
let asRecordPack: [SwiftSetting] = [
  .unsafeFlags(
    [
      "-package-name",
      Context.packageDirectory.split(separator: "/").dropLast().last?.lowercased() ?? "recordpack",
    ])
]

// As in RecordPack's own manifest.
#if os(macOS)
  let zstd: Target.Dependency = .product(name: "libzstd", package: "zstd")
#else
  let zstd: Target.Dependency = "CBenchZstd"
#endif

let package = Package(
  name: "RecordPackBenchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "recordpack-bench", targets: ["RecordPackBench"]),
    .executable(name: "recordpack-serve-bench", targets: ["ServeBench"]),
  ],
  dependencies: [
    .package(name: "RecordPack", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // On Apple's platforms it is a part of the SDK.
    .systemLibrary(name: "CBenchSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "RecordPackBench",
      dependencies: [
        zstd, "CBenchSQLite",
        .product(name: "RecordPack", package: "RecordPack"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      packageAccess: false, swiftSettings: asRecordPack),
    .executableTarget(
      name: "ServeBench",
      dependencies: [
        .product(name: "RecordPack", package: "RecordPack"),
        .product(name: "CloudWebServer", package: "RecordPack"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      packageAccess: false, swiftSettings: asRecordPack),
  ],
  swiftLanguageModes: [.v6]
)

#if os(macOS)
  package.dependencies.append(.package(url: "https://github.com/facebook/zstd", from: "1.5.6"))
#else
  package.targets.append(
    .systemLibrary(name: "CBenchZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]))
#endif
