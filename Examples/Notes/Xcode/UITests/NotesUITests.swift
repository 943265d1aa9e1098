import Foundation
import XCTest

// The UI test target in Xcode. Notes.recordpack, from Tests/NotesTests/Fixtures, is a member of it.
@MainActor
final class NotesUITests: XCTestCase {
  func testNotes() throws {
    let app = XCUIApplication()
    let bundle = Bundle(for: Self.self)
    app.launchEnvironment["RECORDPACK_FIXTURE"] =
      try XCTUnwrap(bundle.path(forResource: "Notes", ofType: "recordpack"))
    app.launch()
    XCTAssertTrue(app.staticTexts["Eat choose"].waitForExistence(timeout: 10))
  }
}
