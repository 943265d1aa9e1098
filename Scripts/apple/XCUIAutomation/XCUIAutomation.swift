import Foundation

// What the examples use of Xcode's UI tests, for Scripts/check-apple; nothing runs.

@MainActor
public class XCUIElement {
  public func waitForExistence(timeout: TimeInterval) -> Bool { false }
}

@MainActor
public class XCUIElementQuery {
  public subscript(key: String) -> XCUIElement { fatalError() }
}

@MainActor
public class XCUIApplication: XCUIElement {
  public init(bundleIdentifier: String = "") {}
  public var launchEnvironment: [String: String] = [:]
  public var staticTexts: XCUIElementQuery { fatalError() }
  public func launch() {}
}
