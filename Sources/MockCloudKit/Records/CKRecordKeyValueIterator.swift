/// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvalueiterator
public struct CKRecordKeyValueIterator: IteratorProtocol {
  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvalueiterator/element
  public typealias Element = (CKRecord.FieldKey, any CKRecordValueProtocol)

  private var remaining: ArraySlice<Element>

  init(_ record: CKRecord) {
    remaining =
      record.allKeys().compactMap { key in
        (record.object(forKey: key) as? any CKRecordValueProtocol).map { (key, $0) }
      }[...]
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvalueiterator/next()
  public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? {
    remaining.popFirst()
  }
}

@available(*, unavailable)
extension CKRecordKeyValueIterator: Sendable {}

extension CKRecord: Sequence {
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/makeiterator()
  public func makeIterator() -> CKRecordKeyValueIterator { CKRecordKeyValueIterator(self) }
}
