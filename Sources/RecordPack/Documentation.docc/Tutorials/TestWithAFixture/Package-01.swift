// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TodoApp",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "RECORDPACK_REPOSITORY", from: "0.1.0")
  ],
  targets: [
    .target(
      name: "TodoApp",
      dependencies: [.product(name: "RecordPack", package: "RecordPack")]),
    .testTarget(
      name: "TodoAppTests",
      dependencies: ["TodoApp", .product(name: "RecordPackTesting", package: "RecordPack")],
      resources: [.copy("Fixtures")]),
  ]
)
