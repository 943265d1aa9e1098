import Foundation
import RecordCoding
import RecordModel

/// Encodes zones, subscriptions and tombstones as canonical JSON, as in a bundle.
enum StoreCoding {
  static func json(of value: some JSONConvertible) throws -> Data {
    try value.jsonValue().compactData
  }

  static func read<T: JSONConvertible>(
    _ type: T.Type, from bytes: UnsafeRawBufferPointer, name: @autoclosure () -> String
  ) throws(ContainerStoreError) -> T {
    do {
      return try T(json: JSONParser.parse(bytes))
    } catch {
      throw ContainerStoreError.unreadable(name: name(), detail: "\(error)")
    }
  }

  /// Parses the canonical JSON of a record.
  /// - Throws: ``ContainerStoreError/unreadable(name:detail:)``.
  static func record(
    _ payload: UnsafeRawBufferPointer, by reader: RecordJSONReader,
    name: @autoclosure () -> String
  ) throws -> ResultRecord {
    do {
      return try reader.read(payload)
    } catch let error as RecordCodingError {
      throw ContainerStoreError.unreadable(name: name(), detail: "\(error)")
    }
  }
}
