// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TodoApp",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../RecordPack")
  ],
  targets: [
    .target(
      name: "TodoApp",
      dependencies: [.product(name: "CloudInterface", package: "RecordPack")]),
    .testTarget(
      name: "TodoAppTests",
      dependencies: ["TodoApp", .product(name: "RecordPackTesting", package: "RecordPack")]),
  ]
)
