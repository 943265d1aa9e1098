/// Re-exports all modules of the library.

@_exported import AppStores
@_exported import CloudInterface
@_exported import MockCloud
@_exported import MockSync
@_exported import RecordArchive
@_exported import RecordBundle
@_exported import RecordCoding
@_exported import RecordMigration
@_exported import RecordModel
@_exported import RecordSchema
@_exported import RecordStore
@_exported import TypedRecords

@_exported import RecordFixtures
