import ArgumentParser
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema

/// Errors and warnings as JSON, one line each, for commands that are asked for JSON.
enum ErrorDocument {
  /// Whether arguments ask for JSON, also where they are otherwise wrong.
  static func isWanted(by arguments: some Collection<String>) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// An error: `message`, `exitCode`, and the place where it is known.
  static func error(
    _ message: String, exitCode: Int32, place: [JSONValue.Member] = []
  ) -> String {
    document("error", message, [.init("exitCode", .integer(exitCode))] + place)
  }

  /// An `error`, a `warning`, or a `note`: what a command says beside its result.
  static func document(
    _ kind: String, _ message: String, _ others: [JSONValue.Member] = []
  ) -> String {
    ReportOptions.document(kind, [.init("message", .string(message))] + others).visibleText
  }

  /// The place of an error: `file`, `line`, `frame`, `byte`, `path`, `record`, `field`.
  static func place(of error: any Error) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { members.append(.init(name, .string(text))) }
    }
    func add(_ name: String, _ number: (some BinaryInteger)?) {
      if let number { members.append(.init(name, .integer(number))) }
    }
    switch error {
    case let error as CommandError: return error.place
    case let error as BundleError:
      add("file", error.source)
      add("line", error.line)
      add("frame", error.frame)
      add("byte", error.byteOffset)
    case let error as RecordCodingError:
      add("byte", error.offset)
      add("path", error.path)
    case SchemaError.syntax(let document): add("file", document.name)
    case let error as CloudError:
      switch error.violation?.subject {
      case .record(let recordID, let key):
        add("record", recordID.recordName)
        add("field", key)
      default: break
      }
    default: break
    }
    return members
  }
}
