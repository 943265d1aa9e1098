import AppStores
import ArgumentParser
import Foundation
import RecordCoding
import RecordText

/// The option for the store that is filled with objects.
struct StoreFillOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store of Core Data or SwiftData to fill a copy of, as the app made it.",
      valueName: "store"),
    completion: .file())
  var into: String?

  /// Throws if a store would be filled without the option, or the other way round.
  func check(isFilling: Bool, _ output: String) throws {
    if isFilling, into == nil {
      throw ValidationError("--to core-data fills a copy of a store; name the store with --into")
    }
    if !isFilling, into != nil { throw ValidationError("--into requires --to core-data") }
    try check(output)
  }

  /// Throws if a store would go to standard output.
  func check(_ output: String) throws {
    if into != nil, output == "-" {
      throw ValidationError("a store cannot be written to standard output; name a file")
    }
  }
}

extension FilledStore {
  private var counts: [(key: String, value: Int)] { objects.sorted { $0.key < $1.key } }

  /// The counts as a sentence.
  func text(_ name: String) -> String {
    var text = "Filled \(name) with \(Numbers.count(objects.values.reduce(0, +), "object"))"
    if !counts.isEmpty {
      text += ": " + counts.map { "\(Numbers.grouped($0.value)) \($0.key)" }.joined(separator: ", ")
    }
    if links > 0 { text += "; \(Numbers.count(links, "pair")) of many-to-many relationships" }
    return text
  }

  func json(_ name: String) -> JSONValue {
    let entities = counts.map { name, count -> JSONValue in ["entity": name, "objects": count] }
    let file: JSONValue = ["path": name]
    return [
      "files": [file], "records": objects.values.reduce(0, +), "entities": entities,
      "pairs": links,
    ]
  }
}
