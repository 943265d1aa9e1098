import Foundation
import MockCloud
import RecordCoding
import RecordModel

extension WebServicesHandler {
  /// The maximum size of a bundle that is loaded, in bytes: 256 MiB.
  public static let maxBundleSize = 256 << 20

  /// The maximum size of the body of a request, in bytes, by its target: files are larger than JSON.
  package func maxBodySize(ofTarget target: String) -> Int {
    let path = target.prefix { $0 != "?" }
    if path.hasPrefix("/assets/upload/") { return Self.maxUploadSize }
    return admin != nil && path == "/admin/load" ? Self.maxBundleSize : Self.maxBodySize
  }

  /// Makes a container what it was when it was first served, or what was loaded last.
  ///
  /// - Parameter place: its address; nil for the only one.
  func reset(_ place: WebPlace?) throws { try reset(at: try replaceable(place)) }

  /// Makes a container that the page shows what it was when it was first served, or loaded last.
  func reset(_ container: WebContainer) throws {
    let name = PageContainerName(container)
    guard container.seed != nil,
      let index = containers.firstIndex(where: { PageContainerName($0) == name })
    else { throw Self.inPlace }
    try reset(at: index)
  }

  private static let inPlace = WebError(
    .badRequest, "the contents of a container that is served in place stay")

  /// Makes a container what it was when it was first served, or what was loaded last.
  package func reset(at index: Int) throws {
    try served.withLock { served in
      guard let seed = served[index].seed else { return }
      served[index].container = try seed.fork()
    }
  }

  /// Replaces the contents of a container by those of a bundle, which it is then reset to.
  func load(_ request: WebRequest) async throws -> WebResponse {
    func item(_ name: String) -> String? { request.queryItems.first { $0.name == name }?.value }
    let place = try item("container").map {
      try WebPlace($0, environment: item("environment") ?? "development")
    }
    // Whether it can be replaced is known before the bundle is read.
    let index = try replaceable(place)
    let rules = containers[index].container.rules
    let clock = admin?.clock ?? WebClock()
    let loaded = try await ContainerBundle.container(of: request.body, rules: rules) { clock.now }
    try replace(at: index, with: loaded)
    return WebResponse(json: .object([]))
  }

  /// Replaces a container, and what it is reset to.
  package func replace(at index: Int, with container: MockContainer) throws {
    let copy = try container.fork()
    served.withLock { served in
      served[index].seed = copy
      served[index].container = container
    }
  }

  /// Returns the index of a container that is not served in place.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST`.
  private func replaceable(_ place: WebPlace?) throws -> Int {
    let containers = containers
    let fits = containers.indices.filter { index in
      place.map { containers[index].fit($0.identifier, $0.environment) != nil } ?? true
    }
    guard fits.count == 1 else {
      throw WebError(.badRequest, "'container' and 'environment' do not name one container")
    }
    guard containers[fits[0]].seed != nil else { throw Self.inPlace }
    return fits[0]
  }
}
