import RecordArchive
import RecordCoding
import RecordMigration
import RecordModel

/// Decides which records meet a condition.
package struct ConditionMatch: Sendable {
  /// A part of the condition, ready to be evaluated.
  private indirect enum Node: Sendable {
    case all([Node])
    case any([Node])
    case not(Node)
    case filter(CompiledFilter, Term)
    case pair(Term, QueryFilter.Comparator, Term)
    case has(Term)
    case holds(Term)
  }

  private enum Term: Sendable {
    case field(String)
    case property(RecordProperty)
    case function(RecordExpression)

    init(_ term: PredicateTerm, _ functions: [PredicateTerm: RecordExpression]) {
      self =
        switch term {
        case .property(let property): .property(property)
        case .field(let name): .field(name)
        case .function: functions[term].map { .function($0) } ?? .field(term.name)
        }
    }

    /// The name by which a filter knows that the values are users, or names of records.
    var filterName: String {
      if case .field(let name) = self { SystemField.predicateName(name) } else { "" }
    }

    var name: String {
      switch self {
      case .field(let name): SystemField.predicateName(name)
      case .property(let property): property.rawValue
      case .function(let function): function.source
      }
    }
  }

  /// A record that is matched, and its form that functions read, which is made once.
  private struct Subject {
    let record: ResultRecord
    let database: DatabaseScope
    private var editable: EditableRecord?

    init(_ record: ResultRecord, _ database: DatabaseScope) {
      (self.record, self.database) = (record, database)
    }

    mutating func value(of expression: RecordExpression) throws -> RecordValue? {
      let editable = editable ?? EditableRecord(record, in: database)
      self.editable = editable
      return try expression.value(for: editable).recordValue
    }
  }

  private let root: Node
  private let options: QueryMatch.Options
  private let readsEncrypted: Bool

  /// - Parameters:
  ///   - userRecordName: The signed-in user, whom a condition may call `__defaultOwner__`.
  ///   - readsEncrypted: Whether encrypted values are compared. Otherwise only `has` sees them.
  package init(
    _ condition: RecordCondition, userRecordName: String? = nil, readsEncrypted: Bool
  ) {
    self.init(
      condition.root, condition, userRecordName: userRecordName, readsEncrypted: readsEncrypted)
  }

  fileprivate init(
    _ root: PredicateNode, _ condition: RecordCondition, userRecordName: String?,
    readsEncrypted: Bool
  ) {
    var options = QueryMatch.Options()
    options.currentUserRecordName = userRecordName
    options.date = { DateInput.date($0) }
    self.options = options
    self.root = Self.compiled(root, condition.functions, options)
    self.readsEncrypted = readsEncrypted
  }

  private static func compiled(
    _ node: PredicateNode, _ functions: [PredicateTerm: RecordExpression],
    _ options: QueryMatch.Options
  ) -> Node {
    switch node {
    case .all(let parts): .all(parts.map { compiled($0, functions, options) })
    case .any(let parts): .any(parts.map { compiled($0, functions, options) })
    case .not(let part): .not(compiled(part, functions, options))
    case .filter(let filter, let term, _):
      .filter(CompiledFilter(filter, options), Term(term, functions))
    case .pair(let left, _, let comparator, let right, _):
      .pair(Term(left, functions), comparator, Term(right, functions))
    case .has(let term, _): .has(Term(term, functions))
    case .holds(let term, _): .holds(Term(term, functions))
    }
  }

  /// Whether a record meets the condition.
  ///
  /// - Throws: `MigrationError`, with the column in the condition, for a function that has no value
  ///   for the record.
  package func matches(_ record: ResultRecord, in database: DatabaseScope) throws -> Bool {
    var subject = Subject(record, database)
    return try truth(of: root, &subject) ?? false
  }

  /// Whether a part holds; nil if that depends on a value that the record does not have.
  private func truth(of node: Node, _ subject: inout Subject) throws -> Bool? {
    switch node {
    case .all(let parts):
      var isKnown = true
      for part in parts {
        let truth = try truth(of: part, &subject)
        if truth == false { return false }
        if truth == nil { isKnown = false }
      }
      return isKnown ? true : nil
    case .any(let parts):
      var isKnown = true
      for part in parts {
        let truth = try truth(of: part, &subject)
        if truth == true { return true }
        if truth == nil { isKnown = false }
      }
      return isKnown ? false : nil
    case .not(let part): return try truth(of: part, &subject).map { !$0 }
    case .filter(let filter, let term):
      if filter.isAllText { return filter.matches(subject.record) }
      return filter.truth(of: try value(of: term, &subject), in: subject.record.recordID.zoneID)
    case .pair(let left, let comparator, let right):
      guard let first = try value(of: left, &subject),
        let second = try value(of: right, &subject)
      else { return nil }
      // Text stands for dates and references on both sides.
      let isFlipped = first.type == .string && second.type != .string
      let filter = CompiledFilter(
        QueryFilter(
          (isFlipped ? right : left).filterName, isFlipped ? comparator.flipped : comparator,
          isFlipped ? first : second),
        options)
      return filter.truth(of: isFlipped ? second : first, in: subject.record.recordID.zoneID)
    case .has(let term):
      if case .field(let name) = term, !SystemField.isSystem(name) {
        return subject.record.field(named: name) != nil
      }
      return try value(of: term, &subject) != nil
    case .holds(let term):
      guard let value = try value(of: term, &subject) else { return nil }
      guard case .int64(let number) = value else {
        var column = 1
        if case .function(let function) = term { column = function.column }
        throw MigrationError(
          .noValue, column,
          "a condition must be true or false, but '\(term.name)' is neither; compare it with a value"
        )
      }
      return number != 0
    }
  }

  private func value(of term: Term, _ subject: inout Subject) throws -> RecordValue? {
    switch term {
    case .field(let name): return subject.record.queryValue(of: name, withEncrypted: readsEncrypted)
    case .property(let property): return property.value(in: subject.record, subject.database)
    case .function(let function):
      if !readsEncrypted {
        let names = function.fieldNames
        let record = subject.record
        guard !names.contains(where: { record.field(named: $0)?.isEncrypted == true }) else {
          return nil
        }
      }
      return try subject.value(of: function)
    }
  }
}

extension RecordCondition {
  /// Returns the match of a store's query: the store finds records by ``filters``, and the other parts
  /// of the condition decide which it returns. Encrypted values are seen by `has` only.
  ///
  /// - Parameters:
  ///   - source: The container with the signed-in user.
  ///   - storedName: Returns the name that a field has in the store; for objects of Core Data.
  ///   - shown: Returns the record under the names of the condition.
  ///   - failed: Called for a record for which a function has no value; the record does not match.
  package func match(
    _ recordType: String, sort: [QuerySort], in source: ArchiveSource, _ database: DatabaseScope,
    storedName: (String) -> String = { $0 },
    shown: @escaping @Sendable (ResultRecord) -> ResultRecord = { $0 },
    failed: @escaping @Sendable (ResultRecord, MigrationError) -> Void
  ) throws -> QueryMatch {
    var options = QueryMatch.Options()
    options.currentUserRecordName = try source.info().currentUserRecordName
    options.date = { DateInput.date($0) }
    let rest = root.conjunction.filter { $0.cloudFilter == nil }
    if !rest.isEmpty {
      let match = ConditionMatch(
        .all(rest), self, userRecordName: options.currentUserRecordName, readsEncrypted: false)
      options.condition = { record in
        do {
          return try match.matches(shown(record), in: database)
        } catch let error as MigrationError {
          failed(record, error)
        } catch {
          failed(record, MigrationError(.noValue, 1, "\(error)"))
        }
        return false
      }
    }
    let filters = filters.map { filter in
      var filter = filter
      if !filter.isAllText, !SystemField.isSystem(filter.fieldName) {
        filter.fieldName = storedName(filter.fieldName)
      }
      return filter
    }
    return QueryMatch(
      RecordQuery(recordType: recordType, filters: filters, sort: sort), options)
  }
}
