import Foundation

/// A file that belongs to tests.
///
/// Where tests run on the machine that built them, on a Mac, in a simulator and on Linux, the file
/// is beside the test's source file. On a device and in Xcode Cloud there are no sources: there the
/// file is a resource of the test's bundle.
package struct FixtureFile: Sendable {
  let path: String
  let bundle: Bundle?
  /// The source file of the test.
  let source: String

  package init(path: String, bundle: Bundle?, source: String) {
    self.path = path
    self.bundle = bundle
    self.source = source
  }

  /// Where the file lies among the sources, whether or not it exists.
  var sourceURL: URL {
    URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: source).deletingLastPathComponent())
      .standardizedFileURL
  }

  /// Returns where the file is.
  /// - Parameter testBundles: The bundles to search if the test names none.
  /// - Throws: ``TestContainerError/notFound(path:places:)``.
  package func url(testBundles: [Bundle]? = nil) throws -> URL {
    var places: [String] = []
    if bundle == nil {
      let url = sourceURL
      if FileManager.default.fileExists(atPath: url.path) { return url }
      places.append(url.path)
    }
    for bundle in bundle.map({ [$0] }) ?? testBundles ?? Self.loadedTestBundles() {
      if let url = Self.resource(path, of: bundle) { return url }
      places.append("the resources of \(bundle.bundleURL.lastPathComponent)")
    }
    throw TestContainerError.notFound(path: path, places: places)
  }

  /// The bundles of tests that the process has loaded, by name.
  private static func loadedTestBundles() -> [Bundle] {
    Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
      .sorted { $0.bundlePath < $1.bundlePath }
  }

  /// Returns a resource of a bundle, or of a bundle of resources in it.
  ///
  /// SwiftPM's `.copy` keeps a folder of resources, and so does a folder reference of Xcode. Xcode
  /// copies the files of a group, and of a folder that it keeps in step with the disk, without
  /// their folder, as SwiftPM's `.process` does.
  private static func resource(_ path: String, of bundle: Bundle) -> URL? {
    let name = URL(fileURLWithPath: path).lastPathComponent
    for path in path == name ? [name] : [path, name] {
      if let url = bundle.url(forResource: path, withExtension: nil) { return url }
    }
    // In Xcode, the resources of a package's test target are a bundle in the bundle of the tests.
    for inner in bundle.paths(forResourcesOfType: "bundle", inDirectory: nil).sorted() {
      if let found = Bundle(path: inner).flatMap({ resource(path, of: $0) }) { return found }
    }
    return nil
  }
}
