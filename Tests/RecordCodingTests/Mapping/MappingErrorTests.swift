import RecordModel
import Testing

@testable import RecordCoding

/// The texts that people will see for the mistakes they are likely to make.
@Suite struct MappingErrorTests {
  private func message(_ text: String) -> String {
    do {
      _ = try ResultRecord(json: JSONParser.parse(text))
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  private func message(field: String) -> String {
    message("{\"recordName\":\"a\",\"recordType\":\"T\",\"fields\":{\"f\":\(field)}}")
  }

  @Test func `what is no record`() {
    #expect(message("[]") == "byte 0: found an array, expected an object: a record")
    #expect(
      message("{\"recordType\":\"T\"}")
        == "byte 0: found a record without 'recordName', expected the member 'recordName'")
    #expect(
      message("{\"recordName\":\"a\"}")
        == "byte 0: found a record without 'recordType', expected the member 'recordType'")
    #expect(
      message("{\"recordName\":5,\"recordType\":\"T\"}")
        == "byte 14, at recordName: found the number 5, expected a string")
    #expect(
      message("{\"recordName\":\"a\",\"recordType\":\"T\",\"deleted\":true}")
        == "byte 45, at deleted: found a deleted record, expected a record that is not deleted")
    #expect(
      message("{\"recordName\":\"a\",\"recordType\":\"T\",\"fields\":[]}")
        == "byte 44, at fields: found an array, expected an object: the fields of a record")
    #expect(
      message("{\"recordName\":\"a\",\"recordType\":\"T\",\"zoneID\":{}}")
        == "byte 44, at zoneID: found a zone ID without 'zoneName', "
        + "expected the member 'zoneName'")
    #expect(
      message("{\"recordName\":\"a\",\"recordType\":\"T\",\"created\":{\"timestamp\":\"now\"}}")
        == "byte 58, at created.timestamp: found the string \"now\", "
        + "expected a date: milliseconds since 1970 as a number")
  }

  @Test(arguments: [
    ("\"text\"", "byte 49, at fields.f: found a string, expected an object: a field"),
    (
      "{\"type\":\"INT64\",\"value\":\"5\"}",
      "byte 73, at fields.f.value: found the string \"5\", expected a 64-bit integer"
    ),
    (
      "{\"type\":\"INT64\",\"value\":1.5}",
      "byte 73, at fields.f.value: found the number 1.5, expected a 64-bit integer"
    ),
    (
      "{\"type\":\"INT64\",\"value\":9223372036854775808}",
      "byte 73, at fields.f.value: found the number 9223372036854775808, "
        + "expected a 64-bit integer"
    ),
    (
      "{\"type\":\"DOUBLE\",\"value\":1e400}",
      "byte 74, at fields.f.value: found the number 1e400, "
        + "expected a number within the range of a double"
    ),
    (
      "{\"type\":\"BYTES\",\"value\":\"?\"}",
      "byte 73, at fields.f.value: found a string that is not base64, "
        + "expected a base64 string with padding"
    ),
    (
      "{\"type\":\"BYTES\",\"value\":\"Eg=z\"}",
      "byte 73, at fields.f.value: found a string that is not base64, "
        + "expected a base64 string with padding"
    ),
    (
      "{\"type\":\"BYTES\",\"value\":\"====\"}",
      "byte 73, at fields.f.value: found a string that is not base64, "
        + "expected a base64 string with padding"
    ),
    (
      "{\"type\":\"BYTES\",\"value\":\"Zm9v====\"}",
      "byte 73, at fields.f.value: found a string that is not base64, "
        + "expected a base64 string with padding"
    ),
    (
      "{\"type\":\"BYTES\",\"value\":\"Zh==\"}",
      "byte 73, at fields.f.value: found a string that is not base64, "
        + "expected a base64 string with padding"
    ),
    (
      "{\"type\":\"STRING_LIST\",\"value\":\"a\"}",
      "byte 79, at fields.f.value: found the string \"a\", "
        + "expected an array, for the type STRING_LIST"
    ),
    (
      "{\"type\":\"STRING_LIST\",\"value\":[\"a\",1]}",
      "byte 84, at fields.f.value[1]: found the number 1, expected a string"
    ),
    (
      "{\"type\":\"REFERENCE\",\"value\":{\"recordName\":\"a\",\"action\":\"CASCADE\"}}",
      "byte 104, at fields.f.value.action: found the string \"CASCADE\", "
        + "expected \"NONE\", \"DELETE_SELF\" or \"VALIDATE\""
    ),
    (
      "{\"type\":\"LOCATION\",\"value\":{\"latitude\":1}}",
      "byte 76, at fields.f.value: found a location without 'longitude', "
        + "expected the member 'longitude'"
    ),
    (
      "{\"type\":5,\"value\":1}", "byte 57, at fields.f.type: found the number 5, expected a string"
    ),
  ])
  func `a field with the wrong value`(_ field: String, text: String) {
    #expect(message(field: field) == text)
  }

  @Test(arguments: [
    "{\"type\":\"INT64\",\"isEncrypted\":true,\"value\":\"SECRET\"}",
    "{\"type\":\"ENCRYPTED_INT64\",\"value\":\"SECRET\"}",
    "{\"value\":\"SECRET\",\"type\":\"ENCRYPTED_DOUBLE\"}",
    "{\"value\":[\"SECRET\"],\"type\":\"ENCRYPTED_INT64_LIST\"}",
    "{\"value\":\"SECRET\",\"type\":\"ENCRYPTED_BYTES_LIST\"}",
    "{\"value\":\"SECRET!\",\"type\":\"ENCRYPTED_BYTES\"}",
    "{\"value\":{\"latitude\":\"SECRET\",\"longitude\":1},\"type\":\"ENCRYPTED_LOCATION\"}",
    "{\"type\":\"ENCRYPTED_STRING\",\"value\":\"SECRET\\q\"}",
    "{\"type\":\"ENCRYPTED_STRING\",\"value\":\"SECRET",
    "{\"type\":\"ENCRYPTED_STRING\",\"value\":SECRET}",
    "{\"type\":\"ASSETID\",\"value\":{\"size\":\"SECRET\"}}",
  ])
  func `errors never show the value of an encrypted field`(_ field: String) {
    let text = message(field: field)
    #expect(text != "no error")
    #expect(!text.contains("SECRET"))
    #expect(!text.contains("'S'"))
  }
}
