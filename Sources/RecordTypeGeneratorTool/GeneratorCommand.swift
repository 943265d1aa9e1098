import Foundation
import RecordSchema

/// The command that the plugin `RecordTypeGenerator` runs: `RecordTypeGeneratorTool SCHEMA OUTPUT [CONFIGURATION]`.
///
/// It does what `recordpack schema generate` does for one file, and links RecordSchema alone, so that
/// a first build with the plugin does not compile the whole command line. Errors are in the form of
/// the compiler's, which editors show at their place.
@main
struct GeneratorCommand {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard (2...3).contains(arguments.count) else {
      throw GeneratorError("usage: RecordTypeGeneratorTool SCHEMA OUTPUT [CONFIGURATION]")
    }
    let (schema, output) = (arguments[0], arguments[1])
    var options = SwiftSource.Options()
    if arguments.count == 3 {
      let configuration = arguments[2]
      options = try GeneratorConfiguration(json: read(configuration), file: configuration).options
    }
    let document = SchemaDocument(parsing: try Array(read(schema)), name: schema)
    let source = SwiftSource(try document.validSchema(), options)
    guard !source.files.isEmpty else {
      throw GeneratorError("\(schema):1:1: error: the schema has no record types")
    }
    let text = Data(source.merged.utf8)
    // A file that stays is not compiled again: an index more changes no property.
    if FileManager.default.contents(atPath: output) == text { return }
    do {
      try text.write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw GeneratorError("\(output): error: cannot write it: \(error.localizedDescription)")
    }
  }

  private static func read(_ path: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw GeneratorError("\(path): error: cannot read it: \(error.localizedDescription)")
    }
  }
}

/// An error as the compiler prints one.
struct GeneratorError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
