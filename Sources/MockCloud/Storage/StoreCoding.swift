import Foundation
import RecordCoding
import RecordModel

/// How zones, subscriptions and tombstones lie in their rows: as the canonical JSON that their
/// lines in a bundle have too.
enum StoreCoding {
  static func json(of value: some JSONConvertible) throws -> Data {
    try value.jsonValue().compactData
  }

  static func read<T: JSONConvertible>(
    _ type: T.Type, from bytes: UnsafeRawBufferPointer, name: @autoclosure () -> String
  ) throws(MockContainerError) -> T {
    do throws(RecordCodingError) {
      return try T(json: JSONParser.parse(bytes))
    } catch {
      throw MockContainerError.unreadable(name: name(), detail: "\(error)")
    }
  }

  /// - Throws: ``MockContainerError/unreadable(name:detail:)``.
  static func record(
    _ payload: UnsafeRawBufferPointer, by reader: RecordJSONReader,
    name: @autoclosure () -> String
  ) throws -> ResultRecord {
    do {
      return try reader.read(payload)
    } catch let error as RecordCodingError {
      throw MockContainerError.unreadable(name: name(), detail: "\(error)")
    }
  }
}
