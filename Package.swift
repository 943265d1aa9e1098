// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "RecordPack",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "RecordModel", targets: ["RecordModel"]),
    .library(name: "RecordSchema", targets: ["RecordSchema"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "RecordModel"),
    .target(name: "RecordCoding", dependencies: ["RecordModel"]),
    .target(
      name: "RecordSchema",
      dependencies: ["RecordModel", .product(name: "Yams", package: "Yams")]),
    .target(
      name: "RecordBundle",
      dependencies: [
        "CZstd", "RecordModel", "RecordCoding", .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .testTarget(name: "RecordModelTests", dependencies: ["RecordModel"]),
    .testTarget(name: "RecordCodingTests", dependencies: ["RecordCoding"]),
    .testTarget(
      name: "RecordSchemaTests", dependencies: ["RecordSchema"], exclude: ["Rules", "Outside"]),
    .testTarget(name: "RecordBundleTests", dependencies: ["RecordBundle"]),
  ],
  swiftLanguageModes: [.v6]
)
