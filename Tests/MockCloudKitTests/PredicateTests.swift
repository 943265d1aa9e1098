#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import Testing

@Suite struct PredicateTests {
  @Test func aComparisonHasItsParts() throws {
    let predicate = NSPredicate(format: "%K >= %d", argumentArray: ["count", 3])
    let comparison = try #require(predicate as? NSComparisonPredicate)
    #expect(comparison.leftExpression.expressionType == .keyPath)
    #expect(comparison.leftExpression.keyPath == "count")
    #expect(comparison.rightExpression.expressionType == .constantValue)
    #expect(comparison.rightExpression.constantValue as? Int == 3)
    #expect(comparison.predicateOperatorType == .greaterThanOrEqualTo)
    #expect(comparison.comparisonPredicateModifier == .direct)
    #expect(predicate.predicateFormat == "count >= 3")
  }

  @Test func conjunctionsAreFlat() throws {
    let predicate = NSPredicate(format: "a = 1 AND b = 'x' && NOT c IN {1, 2}", argumentArray: nil)
    let compound = try #require(predicate as? NSCompoundPredicate)
    #expect(compound.compoundPredicateType == .and)
    #expect(compound.subpredicates.count == 3)
    let negation = try #require(compound.subpredicates.last as? NSCompoundPredicate)
    #expect(negation.compoundPredicateType == .not)
    #expect(predicate.predicateFormat == "a == 1 AND b == \"x\" AND (NOT c IN {1, 2})")
  }

  @Test func theDistanceIsAFunction() throws {
    let place = CLLocation(latitude: 1, longitude: 2)
    let predicate = NSPredicate(
      format: "distanceToLocation:fromLocation:(%K, %@) < %f",
      argumentArray: ["place", place, 10.5])
    let comparison = try #require(predicate as? NSComparisonPredicate)
    let function = comparison.leftExpression
    #expect(function.expressionType == .function)
    #expect(function.function == "distanceToLocation:fromLocation:")
    #expect(function.arguments?.first?.keyPath == "place")
    #expect(function.arguments?.last?.constantValue as? CLLocation === place)
    #expect(comparison.rightExpression.constantValue as? Double == 10.5)
  }

  @Test func noneIsTheNegationOfAny() throws {
    let predicate = NSPredicate(format: "NONE tags = %@", argumentArray: ["a"])
    let negation = try #require(predicate as? NSCompoundPredicate)
    #expect(negation.compoundPredicateType == .not)
    let any = try #require(negation.subpredicates.first as? NSComparisonPredicate)
    #expect(any.comparisonPredicateModifier == .any)
  }

  @Test func theTruePredicateIsNeither() {
    let predicate = NSPredicate(value: true)
    #expect(!(predicate is NSComparisonPredicate))
    #expect(!(predicate is NSCompoundPredicate))
    #expect(predicate.predicateFormat == "TRUEPREDICATE")
    let parsed = NSPredicate(format: "TRUEPREDICATE", argumentArray: nil)
    #expect(parsed.predicateFormat == "TRUEPREDICATE")
  }

  static let refused: [(String, [any Sendable])] = [
    ("a = 1 OR b = 2", []), ("a = ", []), ("a ~ 1", []), ("a.b = 1", []), ("parent = %@", ["x"]),
    ("a = %@", []), ("a LIKE 'x*'", []), ("a ENDSWITH 'x'", []), ("a = b", []),
    ("NOT (a = 1 AND b = 2)", []), ("NOT a < 1", []), ("FALSEPREDICATE", []),
    ("a =[c] 'x'", []), ("(a = 1", []), ("a = 'x", []), ("%K = 1", [3]), ("a = %d", ["x"]),
    ("ALL tags = 'x'", []), ("'x' = a", []), ("a BETWEEN {1}", []), ("a = 1 b", []),
  ]

  @Test(arguments: refused.indices)
  func whatCloudKitDoesNotSupportIsRefused(index: Int) async throws {
    let (format, arguments) = Self.refused[index]
    let fixture = try await Fixture.withZone()
    let query = CKQuery(
      recordType: "Note", predicate: NSPredicate(format: format, argumentArray: arguments))
    let error = await ckError {
      try await fixture.database.records(matching: query, inZoneWith: fixture.zone)
    }
    #expect(error?.code == .invalidArguments, "\(format)")
  }
}
