import struct Foundation.Data
import RecordModel

extension JSONValue {
  /// Appends the value as compact canonical JSON: without white space, with minimal escapes,
  /// members and the text of numbers unchanged.
  package func write(to buffer: ByteBuffer) {
    switch content {
    case .null: buffer.append("null" as StaticString)
    case .bool(true): buffer.append("true" as StaticString)
    case .bool(false): buffer.append("false" as StaticString)
    case .number(let text): buffer.append(text: text)
    case .string(let text): buffer.appendJSONString(text)
    case .array(let elements):
      buffer.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        element.write(to: buffer)
      }
      buffer.append(UInt8(ascii: "]"))
    case .object(let members):
      buffer.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        buffer.appendJSONString(member.name)
        buffer.append(UInt8(ascii: ":"))
        member.value.write(to: buffer)
      }
      buffer.append(UInt8(ascii: "}"))
    }
  }

  /// The value as compact canonical JSON.
  package var compactText: String {
    let buffer = ByteBuffer()
    write(to: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// The value as compact canonical JSON in UTF-8.
  package var compactData: Data {
    let buffer = ByteBuffer()
    write(to: buffer)
    return Data(buffer.bytes)
  }

  /// The value as `RawJSON`.
  package var raw: RawJSON { RawJSON(compact: compactText) }

  /// Creates a value from raw JSON.
  ///
  /// - Throws: ``RecordCodingError`` if the text is not JSON, which requires a misuse of
  ///   `RawJSON.init(compact:)`.
  package init(raw: RawJSON) throws {
    let value = try JSONParser.parse(raw.text)
    self.init(value.content)
  }
}
