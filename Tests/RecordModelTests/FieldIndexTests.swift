import RecordModel
import Testing

@Suite("The fields of a record")
struct FieldIndexTests {
  #if os(macOS) || os(Linux)
    @Test("A position behind the last field stops the program with a message")
    func outOfRange() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let record = ResultRecord(
          systemFields: SystemFields(recordID: RecordID(recordName: "x"), recordType: "T"),
          fields: [Field(name: "a", value: .int64(1))])
        print(record.fields[record.fields.endIndex])
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("index 1 is out of range: the record has 1 fields"))
    }
  #endif
}
