import Foundation
import RecordPackTesting
import XCTest

/// What expectations and fixtures do in tests of XCTest.
final class XCTestTests: XCTestCase {
  private let record = ResultRecord(
    systemFields: SystemFields(
      recordID: RecordID(recordName: "a"), recordType: "Note", recordChangeTag: "1"),
    fields: [])
  private let other = ResultRecord(
    systemFields: SystemFields(
      recordID: RecordID(recordName: "a"), recordType: "Note", recordChangeTag: "2"),
    fields: [])

  func testAFailedExpectationFailsTheTest() throws {
    let container = try MockContainer.fixture("Fixtures/Chats.recordpack")
    let empty = try MockContainer.inMemory()
    expectNoDifference(record, record)
    expectSnapshot(container, matches: "Fixtures/Chats.recordpack")
    assertFailure("recordChangeTag  1 → 2") { expectNoDifference(record, other) }
    assertFailure("+ zone private Chats") { expectNoDifference(empty, container) }
    assertFailure("there is no snapshot") {
      expectSnapshot(container, matches: "Fixtures/Nothing.recordpack")
    }
  }

  func testAFixtureInAnAsynchronousTest() async throws {
    let container = try MockContainer.fixture("Fixtures/Chats.recordpack", in: .module)
    let zones = try await container.privateCloudDatabase.allRecordZones()
    XCTAssertTrue(zones.contains { $0.zoneID.zoneName == "Chats" })
    XCTAssertThrowsError(try MockContainer.current) { error in
      XCTAssertTrue("\(error)".contains("MockContainer.fixture("))
    }
  }

  #if canImport(Darwin)
    private func assertFailure(_ text: String, in body: () -> Void) {
      let options = XCTExpectedFailure.Options()
      options.issueMatcher = { $0.compactDescription.contains(text) }
      XCTExpectFailure("the expectation fails", options: options, failingBlock: body)
    }
  #else
    override var testRunClass: AnyClass? { ExpectingRun.self }

    private func assertFailure(_ text: String, line: UInt = #line, in body: () -> Void) {
      guard let run = testRun as? ExpectingRun else { return XCTFail("not that run") }
      run.expected = []
      body()
      let found = run.expected ?? []
      run.expected = nil
      XCTAssertEqual(found.count, 1, line: line)
      XCTAssertTrue(found.first?.contains(text) == true, "\(found)", line: line)
    }
  #endif
}

#if !canImport(Darwin)
  /// Collects the failures that a test expects.
  private final class ExpectingRun: XCTestCaseRun {
    var expected: [String]?

    override func recordFailure(
      withDescription description: String, inFile filePath: String?, atLine lineNumber: Int,
      expected isExpected: Bool
    ) {
      guard expected == nil else {
        expected?.append(description)
        return
      }
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: isExpected)
    }
  }
#endif
