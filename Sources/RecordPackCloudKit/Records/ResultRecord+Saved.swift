#if canImport(CloudKit)
  import RecordModel

  extension ResultRecord {
    /// Returns this record, which CloudKit has answered to the save of a draft, with all fields.
    ///
    /// CloudKit's documentation does not say that the record has fields that were not sent. If it has
    /// none of them, they are those of the record that the draft is based on.
    func completed(by draft: DraftRecord) -> ResultRecord {
      guard let base = draft.base, allKeys().allSatisfy(draft.hasChanged) else { return self }
      let others = base.allFields.filter { !draft.hasChanged($0.name) }
      guard !others.isEmpty else { return self }
      return ResultRecord(
        storage: ValueStorage(systemFields: systemFields, fields: allFields + others))
    }
  }
#endif
