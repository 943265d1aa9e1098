import Foundation

import RecordPack

/// Builds the container of Tact, a small chat app, and says what is in it.
///
/// `swift run tact tact.sqlite`
@main
enum Tact {
  static func main() {
    guard CommandLine.arguments.count == 2, let path = CommandLine.arguments.last,
      !path.hasPrefix("-")
    else { fail("usage: tact CONTAINER\nMakes the chat app's container, an SQLite file.") }
    do {
      let container = try TactContainer.make(at: path)
      try printContents(of: container)
      try container.close()
    } catch {
      fail("tact: \(error)")
    }
  }

  private static func printContents(of container: ContainerStore) throws {
    for scope in DatabaseScope.allCases {
      for type in try container.snapshot({ try $0.recordTypes(in: scope) }) {
        print("\(scope) database, zone \(type.zoneID): \(type.recordCount) × \(type.recordType)")
      }
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(2)
  }
}
