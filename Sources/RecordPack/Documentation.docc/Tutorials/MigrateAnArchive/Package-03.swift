// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TodoApp",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../RecordPack")
  ],
  targets: [
    .testTarget(
      name: "TodoAppTests",
      dependencies: [.product(name: "RecordPack", package: "RecordPack")],
      resources: [.copy("Fixtures")])
  ]
)
