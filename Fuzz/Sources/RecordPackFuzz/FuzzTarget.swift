import Foundation

/// A part of RecordPack that reads untrusted bytes, and what must hold for all of them.
protocol FuzzTarget: Sendable {
  /// Prepares what all inputs share.
  init() throws

  /// Runs one input. An error that is thrown is an answer like any other.
  func run(_ input: [UInt8]) throws
}

/// All targets, by the names of their folders in `Corpus`.
let fuzzTargets: [String: any FuzzTarget.Type] = [
  "app-stores": AppStoresTarget.self,
  "archives": ArchivesTarget.self,
  "bundle": BundleTarget.self,
  "bundle-lines": BundleLinesTarget.self,
  "codable": CodableTarget.self,
  "configuration": ConfigurationTarget.self,
  "container": ContainerTarget.self,
  "coredata": CoreDataTarget.self,
  "dialects": DialectsTarget.self,
  "expressions": ExpressionsTarget.self,
  "lines": LinesTarget.self,
  "plans": PlansTarget.self,
  "recipes": RecipesTarget.self,
  "schema": SchemaTarget.self,
  "sql": SQLTarget.self,
  "swift": SwiftTarget.self,
  "webservices": WebServicesTarget.self,
]

/// Ends the process where something does not hold, so that libFuzzer keeps the input.
func require(
  _ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line,
  file: StaticString = #fileID
) {
  if condition { return }
  FileHandle.standardError.write(Data("\(file):\(line): \(message())\n".utf8))
  abort()
}

/// Runs what must not fail here.
func requireNoError<T>(
  _ what: String, line: UInt = #line, file: StaticString = #fileID, _ body: () throws -> T
) -> T {
  do {
    return try body()
  } catch {
    require(false, "\(what): \(error)", line: line, file: file)
    fatalError()
  }
}

/// Shows the beginning of bytes that differ from others.
func difference(_ found: some Collection<UInt8>, _ expected: some Collection<UInt8>) -> String {
  """
  found    \(String(decoding: found.prefix(2000), as: UTF8.self).debugDescription)
  expected \(String(decoding: expected.prefix(2000), as: UTF8.self).debugDescription)
  """
}
