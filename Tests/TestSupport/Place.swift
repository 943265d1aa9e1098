import Foundation

/// Where things lie.
package enum Place {
  /// The root of the package.
  package static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  package static func inPackage(_ path: String) -> String { package.appending(path: path).path }

  /// A folder of files from outside, which lies beside the package where it is developed; nil where
  /// it does not.
  package static func corpus(_ name: String) -> URL? {
    let folder = package.deletingLastPathComponent().appending(path: "shared/corpus/" + name)
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  private final class Anchor {}

  /// The folder with the products of this build.
  package static let products: URL = {
    #if canImport(Darwin)
      Bundle(for: Anchor.self).bundleURL.deletingLastPathComponent()
    #else
      URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent()
    #endif
  }()

  /// A program of this package, built together with the tests; nil where it is not there.
  package static func program(_ name: String) -> String? {
    let path = products.appending(path: name).path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }
}
