import CloudWebServices
import Foundation
import RecordPages
import TestSupport
import Testing

/// SwiftPM's own way to put a file into the code, `.embedInCode`, fails in Xcode's builds for several
/// architectures. So the code is committed. `RECORDPACK_UPDATE_EXPECTATIONS=1` writes it again.
@Suite("Code that holds a file of a page")
struct PageResourceTests {
  private static let pages = "Sources/RecordPages/Resources/"
  private static let served = "Sources/CloudWebServices/Page/Resources/"

  @Test(
    "is the file's text",
    arguments: [
      (pages + "style.css", "Sources/RecordPages/HTML/PageStyleSheet.swift", PageStyleSheet.text),
      (
        pages + "diagram.css", "Sources/RecordPages/HTML/DiagramStyleSheet.swift",
        DiagramStyleSheet.text
      ),
      (served + "page.js", "Sources/CloudWebServices/Page/PageScript.swift", PageScript.text),
    ])
  func text(file: String, code: String, compiled: String) throws {
    let text = try String(contentsOfFile: Place.inPackage(file), encoding: .utf8)
    let folder = file.split(separator: "/").dropLast().suffix(1).joined()
    let name = code.split(separator: "/").last!.dropLast(".swift".count)
    let made = """
      // Made from \(folder)/\(file.split(separator: "/").last!) by PageResourceTests.
      // swift-format-ignore-file

      package enum \(name) {
        package static let text = #\"""
      \(text)
      \"""#
      }

      """
    if ProcessInfo.processInfo.environment["RECORDPACK_UPDATE_EXPECTATIONS"] != nil {
      try made.write(toFile: Place.inPackage(code), atomically: true, encoding: .utf8)
    } else {
      #expect(try String(contentsOfFile: Place.inPackage(code), encoding: .utf8) == made)
      #expect(compiled == text)
    }
  }
}
