public struct CKRecordKeyValueIterator: IteratorProtocol {
  public typealias Element = (CKRecord.FieldKey, any CKRecordValueProtocol)

  private var remaining: ArraySlice<Element>

  init(_ record: CKRecord) {
    remaining =
      record.allKeys().compactMap { key in
        (record.object(forKey: key) as? any CKRecordValueProtocol).map { (key, $0) }
      }[...]
  }

  public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? {
    remaining.popFirst()
  }
}

@available(*, unavailable)
extension CKRecordKeyValueIterator: Sendable {}

extension CKRecord: Sequence {
  public func makeIterator() -> CKRecordKeyValueIterator { CKRecordKeyValueIterator(self) }
}
