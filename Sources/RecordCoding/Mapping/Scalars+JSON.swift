import RecordModel

import struct Foundation.Data
import struct Foundation.Date

extension String: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    guard let text = json.string else { throw context.mismatch(json, expected: "a string") }
    self = text
  }

  package func jsonValue(in zoneID: ZoneID) -> JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    guard let flag = json.bool else { throw context.mismatch(json, expected: "true or false") }
    self = flag
  }

  package func jsonValue(in zoneID: ZoneID) -> JSONValue { .bool(self) }
}

extension Int64: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    guard let number = json.numberText.flatMap({ Int64($0) }) else {
      throw context.mismatch(json, expected: "a 64-bit integer")
    }
    self = number
  }

  package func jsonValue(in zoneID: ZoneID) -> JSONValue { .integer(self) }
}

extension Double: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    guard let number = json.numberText.flatMap({ CanonicalNumber.double(from: $0) }) else {
      throw context.mismatch(json, expected: "a number within the range of a double")
    }
    self = number
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    guard let text = CanonicalNumber.text(of: self) else {
      throw RecordCodingError(found: "a double that is not finite", expected: "a finite number")
    }
    return .number(text: text)
  }
}

extension Date: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    guard let date = json.numberText.flatMap({ CanonicalDate.date(from: $0) }) else {
      throw context.mismatch(json, expected: "a date: milliseconds since 1970 as a number")
    }
    self = date
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    guard let text = CanonicalDate.text(of: self) else {
      throw RecordCodingError(found: "a date that is not finite", expected: "a finite date")
    }
    return .number(text: text)
  }
}

extension Data: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    guard let data = json.string.flatMap(Base64.data(from:)) else {
      throw json.error(
        found: json.string == nil ? json.kind : "a string that is not base64",
        expected: "a base64 string with padding")
    }
    self = data
  }

  package func jsonValue(in zoneID: ZoneID) -> JSONValue { .string(base64EncodedString()) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    self = try json.expectElements { try Element(json: $0, context) }
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    .array(
      try enumerated().map { index, element in
        try inside(element: index) { try element.jsonValue(in: zoneID) }
      })
  }
}

/// An enumeration with a word for each case.
package protocol JSONEnum: JSONConvertible, CaseIterable, RawRepresentable<String> {}

extension JSONEnum {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    guard let word = json.string.flatMap({ Self(rawValue: $0) ?? Self(rawValue: $0.lowercased()) })
    else {
      let words = Self.allCases.map { "\"\($0.rawValue)\"" }
      throw context.mismatch(
        json, expected: "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
    }
    self = word
  }

  package func jsonValue(in zoneID: ZoneID) -> JSONValue { .string(rawValue) }
}
