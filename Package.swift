// swift-tools-version: 6.1

import PackageDescription

/// The modules that `import RecordPack` brings.
let exportedModules: [Target.Dependency] = [
  "RecordModel", "RecordCoding", "RecordSchema", "RecordBundle", "RecordMigration",
  "RecordStore", "CloudInterface", "MockCloud", "MockSync", "RecordArchive", "RecordFixtures",
  "TypedRecords", "AppStores",
]

// A Mac builds for all of Apple's platforms. They do not have zstd, so the package depends on
// zstd's own package there. CryptoKit has SHA-256 and signatures.
#if os(macOS)
  let zstd: Target.Dependency = .product(name: "libzstd", package: "zstd")
  let crypto: [Target.Dependency] = []
#else
  let zstd: Target.Dependency = "CZstd"
  let crypto: [Target.Dependency] = ["CCrypto"]
#endif

// CloudKit's own API on the mock. On Linux its module has the name that apps import. On Apple's
// platforms this name belongs to the framework.
#if os(Linux)
  let mockCloudKit = ["CloudKit", "CoreLocation"]
  let cloudKit = mockCloudKit.map { Target.Dependency.target(name: $0) }
#else
  let mockCloudKit = ["MockCloudKit"]
  let cloudKit: [Target.Dependency] = []
#endif

let package = Package(
  name: "RecordPack",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // Everything, for programs that read, write and change containers and bundles.
    .library(name: "RecordPack", targets: ["RecordPack"]),
    // An app's tests: mock containers from files, expectations, snapshots.
    .library(name: "RecordPackTesting", targets: ["RecordPackTesting"]),
    // An app in production: the protocols, records, and their encodings.
    .library(
      name: "CloudInterface",
      targets: ["CloudInterface", "RecordModel", "RecordCoding", "TypedRecords"]),
    // An app in production on Apple's platforms: CloudKit behind these protocols.
    .library(name: "RecordPackCloudKit", targets: ["RecordPackCloudKit"]),
    // An app's tests: code that imports CloudKit, unchanged, on a mock container.
    .library(name: "MockCloudKit", targets: mockCloudKit),
    // Programs that make test data.
    .library(name: "RecordFixtures", targets: ["RecordFixtures"]),
    // Tests and programs that serve a container as CloudKit Web Services.
    .library(name: "CloudWebServer", targets: ["CloudWebServer", "CloudWebServices"]),
    // Tools that read, check and compare schemas.
    .library(name: "RecordSchema", targets: ["RecordSchema", "AppModel"]),
    .executable(name: "recordpack", targets: ["RecordPackTool"]),
    .plugin(name: "RecordTypeGenerator", targets: ["RecordTypeGenerator"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // On Apple's platforms it is a part of the SDK.
    .systemLibrary(name: "CSystemSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "RecordPlatform", dependencies: crypto),
    // The only module that imports zstd.
    .target(name: "RecordCompression", dependencies: [zstd]),
    .target(name: "RecordModel"),
    .target(name: "RecordCoding", dependencies: ["RecordPlatform", "RecordModel"]),
    .target(
      name: "RecordSchema",
      dependencies: ["RecordModel", .product(name: "Yams", package: "Yams")]),
    .target(name: "AppModel", dependencies: ["CSystemSQLite", "RecordModel", "RecordSchema"]),
    .target(
      name: "RecordMigration",
      dependencies: [
        "RecordPlatform", "RecordModel", "RecordCoding", "RecordSchema",
        .product(name: "Yams", package: "Yams"),
      ]),
    .target(
      name: "RecordBundle",
      dependencies: [
        "RecordCompression", "RecordPlatform", "RecordModel", "RecordCoding",
      ]),
    .target(
      name: "RecordStore",
      dependencies: ["CSystemSQLite", "RecordPlatform", "RecordModel", "RecordCoding"]),
    .target(
      name: "AppStores",
      dependencies: [
        "RecordPlatform", "RecordModel", "RecordCoding", "RecordSchema", "RecordStore",
      ]),
    .target(name: "CloudInterface", dependencies: ["RecordModel"]),
    // Apple's framework; on Linux, the mock under its name.
    .target(
      name: "RecordPackCloudKit",
      dependencies: [
        "RecordPlatform", "RecordModel", "RecordCoding", "CloudInterface",
        "AppleFoundation",
      ] + cloudKit),
    .target(name: "TypedRecords", dependencies: ["RecordModel"]),
    .target(name: "MockSync", dependencies: ["RecordPlatform", "CloudInterface", "RecordModel"]),
    .target(
      name: "MockCloud",
      dependencies: [
        "RecordPlatform", "RecordModel", "RecordCoding", "RecordSchema", "CloudInterface",
        "RecordStore",
      ]),
    // The parts of Apple's Foundation and Core Location that MockCloudKit and the bridge need.
    .target(name: "AppleFoundation"),
    // Calls a function of MockCloudKit when a process starts.
    .target(name: "CMockCloudKit"),
    .target(
      name: mockCloudKit[0],
      dependencies: [
        "CMockCloudKit", "AppleFoundation", "MockCloud", "MockSync", "CloudInterface",
        "RecordModel", "RecordCoding", "RecordStore",
      ],
      path: "Sources/MockCloudKit"),
    .target(
      name: "CloudWebServices",
      dependencies: [
        "RecordPlatform", "RecordModel", "RecordCoding", "RecordSchema", "CloudInterface",
        "RecordStore", "MockCloud", "RecordArchive", "RecordText", "RecordPages",
      ]),
    // A target of its own, so that only those who serve compile its sockets.
    .target(
      name: "CloudWebServer",
      dependencies: ["CloudWebServices", .product(name: "FlyingSocks", package: "FlyingFox")]),
    .target(
      name: "RecordArchive",
      dependencies: [
        "RecordCompression", "RecordPlatform", "RecordModel", "RecordCoding", "RecordSchema",
        "RecordMigration", "RecordBundle", "RecordStore", "AppStores", "CloudInterface",
        "MockCloud",
      ]),
    .target(
      name: "RecordFixtures",
      dependencies: [
        "RecordPlatform", "RecordModel", "RecordCoding", "RecordSchema", "RecordMigration",
        "RecordBundle", "RecordStore", "RecordArchive", .product(name: "Yams", package: "Yams"),
      ]),
    .target(
      name: "RecordText",
      dependencies: ["RecordArchive", "RecordCoding", "RecordMigration", "RecordModel"]),
    .target(
      name: "RecordPages",
      dependencies: [
        "RecordModel", "RecordCoding", "RecordSchema", "RecordStore", "RecordArchive", "RecordText",
      ]),
    .target(name: "RecordPack", dependencies: exportedModules),
    // Without the modules that tests do not need, which each test target would compile.
    .target(
      name: "RecordPackTesting",
      dependencies: [
        "RecordPlatform", "RecordModel", "RecordCoding", "RecordSchema", "RecordBundle",
        "RecordStore", "CloudInterface", "MockCloud", "MockSync", "RecordArchive", "RecordText",
      ]),
    .executableTarget(
      name: "RecordPackTool",
      dependencies: [
        "RecordPlatform", "RecordModel", "RecordCoding", "RecordSchema", "AppModel", "AppStores",
        "RecordBundle", "RecordMigration", "RecordStore", "CloudInterface", "MockCloud",
        "RecordArchive", "RecordFixtures", "RecordText", "RecordPages", "CloudWebServices",
        "CloudWebServer", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .plugin(
      name: "RecordTypeGenerator", capability: .buildTool(),
      dependencies: ["RecordTypeGeneratorTool"]),
    // Only targets that the plugin is applied to need it. SwiftPM compiles what a plugin runs once
    // more than what the app links, so it links as little as it can.
    .executableTarget(name: "RecordTypeGeneratorTool", dependencies: ["RecordSchema"]),
    // An example in the package itself: as one of its own it would build all dependencies again.
    // It imports RecordPack alone; the other modules are named because SwiftPM does not rebuild a
    // client of what RecordPack exports when the layout of a type in there changes.
    .executableTarget(
      name: "tact", dependencies: ["RecordPack"] + exportedModules,
      path: "Examples/Tact/Sources"),
    // Empty: one build of it builds both programs, as `swift build` takes one product at a time.
    .target(
      name: "ExamplePrograms", dependencies: ["RecordPackTool", "tact"], path: "Examples/Programs"),
    .testTarget(
      name: "TactTests", dependencies: ["RecordPack", "RecordPackTesting"] + exportedModules,
      path: "Examples/Tact/Tests", resources: [.copy("Fixtures")]),
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .target(
      name: "StoreTestSupport", dependencies: ["RecordStore", "RecordModel"],
      path: "Tests/StoreTestSupport"),
    .target(
      name: "ToolTestSupport",
      dependencies: ["RecordPack", "StoreTestSupport", "TestSupport"] + exportedModules,
      path: "Tests/ToolTestSupport"),
    // Processes that the tests run, and kill.
    .executableTarget(
      name: "ServerWorker", dependencies: ["MockCloud", "CloudInterface", "RecordModel"],
      path: "Tests/ServerWorker"),
    .executableTarget(
      name: "DownloadWorker", dependencies: ["RecordArchive", "RecordStore", "MockCloud"],
      path: "Tests/DownloadWorker"),
    .testTarget(
      name: "RecordPlatformTests", dependencies: ["RecordPlatform", "TestSupport"]),
    .testTarget(name: "RecordCompressionTests", dependencies: ["RecordCompression"]),
    .testTarget(name: "RecordModelTests", dependencies: ["RecordModel", "TestSupport"]),
    .testTarget(name: "RecordCodingTests", dependencies: ["RecordCoding", "TestSupport"]),
    .testTarget(
      name: "RecordSchemaTests", dependencies: ["RecordSchema", "RecordCoding", "TestSupport"],
      exclude: ["Rules", "Outside"]),
    .testTarget(
      name: "RecordTypeGeneratorTests",
      dependencies: ["RecordTypeGeneratorTool", "RecordSchema", "TestSupport"]),
    .testTarget(
      name: "AppModelTests",
      dependencies: ["AppModel", "RecordSchema", "RecordModel", "TestSupport"],
      exclude: ["Rules"]),
    .testTarget(
      name: "RecordStoreTests",
      dependencies: [
        "CSystemSQLite", "RecordStore", "RecordPlatform", "StoreTestSupport", "TestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "AppStoresTests",
      dependencies: [
        "AppStores", "RecordSchema", "RecordCoding", "RecordStore", "RecordModel", "TestSupport",
      ], exclude: ["app_stores.py"]),
    .testTarget(name: "CloudInterfaceTests", dependencies: ["CloudInterface", "RecordModel"]),
    .testTarget(
      name: "TypedRecordsTests",
      dependencies: ["TypedRecords", "RecordModel", "RecordCoding", "TestSupport"]),
    .testTarget(
      name: "MockCloudTests",
      dependencies: [
        "MockCloud", "CloudInterface", "RecordStore", "RecordSchema", "RecordModel",
        "RecordCoding", "ServerWorker", "TestSupport",
      ]),
    .testTarget(
      name: "MockCloudKitTests",
      dependencies: [
        "MockCloud", "MockSync", "CloudInterface", "RecordModel", "RecordCoding",
        "RecordPackTesting", "TestSupport",
      ] + mockCloudKit.map { .target(name: $0) },
      exclude: ["Interface"]),
    .testTarget(
      name: "RecordPackCloudKitTests",
      dependencies: [
        "RecordPackCloudKit", "MockCloud", "CloudInterface", "RecordArchive", "RecordBundle",
        "RecordStore", "RecordModel", "RecordCoding", "RecordPlatform", "TestSupport",
      ] + cloudKit),
    .testTarget(
      name: "MockSyncTests",
      dependencies: [
        "MockSync", "MockCloud", "CloudInterface", "RecordStore", "RecordModel",
        "RecordPackTesting", "TestSupport",
      ]),
    .testTarget(
      name: "RecordTextTests",
      dependencies: ["RecordText", "RecordMigration", "RecordModel", "TestSupport"]),
    .testTarget(
      name: "RecordPagesTests",
      dependencies: [
        "RecordPages", "RecordArchive", "RecordStore", "RecordSchema", "RecordModel",
        "RecordCoding", "StoreTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "CloudWebServicesTests",
      dependencies: [
        "CloudWebServices", "RecordPages", "MockCloud", "CloudInterface", "RecordStore",
        "RecordArchive", "RecordSchema", "RecordModel", "RecordCoding", "RecordPlatform",
        "StoreTestSupport", "TestSupport",
      ] + crypto),
    .testTarget(
      name: "CloudWebServerTests",
      dependencies: [
        "CloudWebServer", "CloudWebServices", "MockCloud", "CloudInterface", "RecordModel",
        "RecordCoding", "RecordStore", "RecordArchive", "RecordPages", "RecordSchema",
        "TestSupport",
      ]),
    .testTarget(
      name: "SyncTests", dependencies: ["RecordPack", "TestSupport"] + exportedModules),
    .testTarget(
      name: "RecordBundleTests", dependencies: ["RecordBundle", "RecordPlatform", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "RecordMigrationTests", dependencies: ["RecordMigration", "TestSupport"]),
    .testTarget(
      name: "RecordArchiveTests",
      dependencies: ["RecordArchive", "RecordSchema", "StoreTestSupport", "TestSupport"]),
    .testTarget(
      name: "DownloadTests",
      dependencies: [
        "RecordArchive", "RecordBundle", "RecordStore", "RecordModel", "RecordPlatform",
        "MockCloud", "CloudInterface", "DownloadWorker", "StoreTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "RecordPackTests", dependencies: ["RecordPack", "TestSupport"] + exportedModules),
    .testTarget(
      name: "RecordFixturesTests",
      dependencies: [
        "RecordFixtures", "RecordArchive", "RecordBundle", "RecordCoding", "RecordMigration",
        "RecordModel", "RecordPlatform", "RecordSchema", "RecordStore", "StoreTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "RecordPackTestingTests",
      dependencies: ["RecordPackTesting", "RecordPack", "TestSupport"] + exportedModules,
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "RecordPackToolTests",
      dependencies: [
        "tact", "RecordPack", "RecordPackTool", "RecordSchema", "RecordBundle", "RecordStore",
        "MockCloud", "RecordText", "StoreTestSupport", "ToolTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], exclude: ["Serve/cloudkit-stand-in.cjs"]),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "tact", "RecordPackTool", "RecordPack", "RecordModel", "RecordCoding", "RecordPlatform",
        "CloudInterface", "RecordPages", "TestSupport",
      ]),
    // The app of the tutorials, and its tests: links to the code files of the tutorials' last steps.
    .target(
      name: "TodoApp", dependencies: ["RecordPack"] + exportedModules,
      path: "Tests/Tutorials/TodoApp"),
    .testTarget(
      name: "TodoAppTests",
      dependencies: ["TodoApp", "RecordPack", "RecordPackTesting"] + exportedModules,
      path: "Tests/Tutorials/TodoAppTests", resources: [.copy("Fixtures")]),
  ],
  swiftLanguageModes: [.v6]
)

#if os(macOS)
  package.dependencies.append(.package(url: "https://github.com/facebook/zstd", from: "1.5.6"))
#else
  package.targets += [
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
  ]
#endif

#if os(Linux)
  package.targets.append(.target(name: "CoreLocation", dependencies: ["AppleFoundation"]))
#endif

// `RECORDPACK_ALL_TESTS=1 swift test` has the tests that take long, too: those that drive a browser,
// kill processes, or run every example of the help.
if Context.environment["RECORDPACK_ALL_TESTS"] != nil {
  package.targets += [
    .executableTarget(
      name: "ContainerWorker", dependencies: ["RecordStore", "RecordModel", "TestSupport"],
      path: "Tests/ContainerWorker"),
    .testTarget(
      name: "LongTests",
      dependencies: [
        "tact", "RecordPack", "RecordPackTool", "RecordPages", "CloudWebServices",
        "CloudWebServer", "ContainerWorker", "ServerWorker", "StoreTestSupport",
        "ToolTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + exportedModules,
      exclude: [
        "pyicloud_client.py", "pyicloud_photos.py", "photo_responses.py", "page_browser.py",
        "page_editing.py", "page_looks.py", "page_user.py", "page_work.py", "moved_files.py",
      ]),
  ]
}

// `RECORDPACK_ONLY=RecordStoreTests,AppModelTests swift test` compiles these targets and what they need.
if let only = Context.environment["RECORDPACK_ONLY"] {
  var needed: Set<String> = []
  var names = only.split(separator: ",").map(String.init)
  while let name = names.popLast() {
    guard needed.insert(name).inserted,
      let target = package.targets.first(where: { $0.name == name })
    else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): names.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    switch product {
    case let library as Product.Library: !library.targets.allSatisfy(needed.contains)
    case let program as Product.Executable: !program.targets.allSatisfy(needed.contains)
    case let plugin as Product.Plugin: !plugin.targets.allSatisfy(needed.contains)
    default: true
    }
  }
}
