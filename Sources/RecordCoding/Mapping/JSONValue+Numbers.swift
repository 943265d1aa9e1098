import RecordModel

import struct Foundation.Data
import struct Foundation.Date

/// Numbers, dates and bytes in JSON.
extension JSONValue {
  func int64(_ context: MappingContext) throws(RecordCodingError) -> Int64 {
    guard let text = numberText, let value = Int64(text) else {
      throw context.mismatch(self, expected: "an integer of 64 bits")
    }
    return value
  }

  func double(_ context: MappingContext) throws(RecordCodingError) -> Double {
    guard let text = numberText, let value = CanonicalNumber.double(from: text) else {
      throw context.mismatch(self, expected: "a number within the range of a double")
    }
    return value
  }

  func date(_ context: MappingContext) throws(RecordCodingError) -> Date {
    guard let text = numberText, let value = CanonicalDate.date(from: text) else {
      throw context.mismatch(self, expected: "a date: milliseconds since 1970 as a number")
    }
    return value
  }

  func bytes(_ context: MappingContext) throws(RecordCodingError) -> Data {
    guard let text = string, let value = Data(base64Encoded: text) else {
      throw RecordCodingError(
        offset: offset, found: string == nil ? kind : "a string that is not base64",
        expected: "bytes as a string in base64, with its padding")
    }
    return value
  }

  func string(_ context: MappingContext) throws(RecordCodingError) -> String {
    guard let string else { throw context.mismatch(self, expected: "a string") }
    return string
  }

  static func double(_ value: Double) throws(RecordCodingError) -> JSONValue {
    guard let text = CanonicalNumber.text(of: value) else {
      throw RecordCodingError(found: "a double that is not finite", expected: "a finite number")
    }
    return .number(text: text)
  }

  static func date(_ value: Date) throws(RecordCodingError) -> JSONValue {
    guard let text = CanonicalDate.text(of: value) else {
      throw RecordCodingError(found: "a date that is not finite", expected: "a finite date")
    }
    return .number(text: text)
  }

  static func bytes(_ value: Data) -> JSONValue { .string(value.base64EncodedString()) }
}

extension MemberReader {
  mutating func double(
    _ name: String, _ context: MappingContext
  ) throws(RecordCodingError) -> Double? {
    try read(name) { (json) throws(RecordCodingError) in try json.double(context) }
  }

  mutating func date(_ name: String, _ context: MappingContext) throws(RecordCodingError) -> Date? {
    try read(name) { (json) throws(RecordCodingError) in try json.date(context) }
  }
}

extension MemberWriter {
  mutating func add(_ name: String, _ number: Double?) throws(RecordCodingError) {
    guard let number else { return }
    do throws(RecordCodingError) {
      add(name, try JSONValue.double(number))
    } catch {
      throw error.inside(member: name)
    }
  }

  mutating func add(_ name: String, _ date: Date?) throws(RecordCodingError) {
    guard let date else { return }
    do throws(RecordCodingError) {
      add(name, try JSONValue.date(date))
    } catch {
      throw error.inside(member: name)
    }
  }
}
