/// The encrypted values of a record in its archive.
final class ArchivedEncryptedValues: ArchivedValues {
  override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKEncryptedRecordValueStore")
  }
}
