/// A test needs one import.

@_exported import CloudInterface
@_exported import MockCloud
@_exported import MockSync
@_exported import RecordArchive
@_exported import RecordBundle
@_exported import RecordCoding
@_exported import RecordModel
@_exported import RecordSchema
@_exported import RecordStore
