import Foundation

// The part of Apple's XCTest that the tests use, for Scripts/check-apple. Nothing runs.

public class XCTIssue {
  public var compactDescription: String { "" }
}

public enum XCTExpectedFailure {
  public class Options {
    public init() {}
    public var issueMatcher: (XCTIssue) -> Bool = { _ in true }
  }
}

public func XCTExpectFailure<Result>(
  _ reason: String? = nil, options: XCTExpectedFailure.Options, failingBlock: () throws -> Result
) rethrows -> Result { try failingBlock() }

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
