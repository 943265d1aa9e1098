// swift-tools-version: 6.1

import PackageDescription

// A package that imports CloudKit, as an app's data layer does. Scripts/sample-packages builds it in
// two ways: RecordPack by its path, and by a version with another name of the module. Its tests use a
// package that asks whether CoreLocation can be imported.
let recordPack: Package.Dependency =
  Context.environment["RECORDPACK_URL"].map { .package(url: $0, from: "1.0.0") }
  ?? .package(name: "recordpack", path: "../..")

let isAliased = Context.environment["RECORDPACK_ALIAS"] != nil
let cloudKit: [Target.Dependency] = [
  .product(
    name: "MockCloudKit", package: "recordpack",
    moduleAliases: isAliased ? ["CloudKit": "MockCloudKit"] : nil,
    condition: .when(platforms: [.linux]))
]

let package = Package(
  name: "SamplePackage",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    recordPack, .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
  ],
  targets: [
    .target(name: "PlaceNotes", dependencies: cloudKit, path: "Sources"),
    .testTarget(
      name: "PlaceNotesTests",
      dependencies: [
        "PlaceNotes", .product(name: "CustomDump", package: "swift-custom-dump"),
      ] + cloudKit, path: "Tests"),
  ]
)
