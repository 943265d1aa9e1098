// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // The product that the app target in Xcode links.
    .library(name: "NotesApp", targets: ["NotesApp", "Notes", "NotesModel"])
  ],
  dependencies: [
    // An app writes .package(url: "https://github.com/OWNER/RecordPack", from: "0.1.0").
    .package(name: "RecordPack", path: "../..")
  ],
  targets: [
    // No SQLite, no zstd and no mock: what the app ships is the model of records and the protocols.
    .target(
      name: "NotesModel",
      dependencies: [.product(name: "CloudInterface", package: "RecordPack")],
      plugins: [.plugin(name: "RecordTypeGenerator", package: "RecordPack")]),
    .target(
      name: "Notes",
      dependencies: [
        "NotesModel", .product(name: "CloudInterface", package: "RecordPack"),
        // Empty where there is no CloudKit.
        .product(name: "RecordPackCloudKit", package: "RecordPack"),
      ]),
    // The views. Debug builds can begin with a bundle, for UI tests and previews.
    .target(
      name: "NotesApp",
      dependencies: ["Notes", "NotesModel", .product(name: "RecordPack", package: "RecordPack")]),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes", "NotesApp", "NotesModel",
        .product(name: "RecordPackTesting", package: "RecordPack"),
      ],
      // Beside the tests on a Mac and in the simulator; on a device, in the tests' resources.
      resources: [.copy("Fixtures")]),
  ],
  swiftLanguageModes: [.v6]
)
