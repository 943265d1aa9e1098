#if os(Linux)
  import Foundation
  import TestSupport
  import Testing
  import ToolTestSupport

  @Suite("A container in a folder that users share")
  struct OtherUserTests {
    @Test("is read by who may not change it, and its owner can go on")
    func reading() async throws {
      try await withFolder { folder in
        try Samples.makeContainer(in: folder)
        // Only root can run the tool as somebody else.
        let script = """
          as_other() { setpriv --reuid=65534 --regid=65534 --clear-groups recordpack "$@"; }
          chmod 777 . && chmod 644 Tact.sqlite && as_other --version || exit 77
          as_other query Tact.sqlite --type Chat
          echo "read: $?"
          ls
          recordpack put Tact.sqlite --zone Chats --type Chat --name new title=x
          echo "put: $?"
          as_other put Tact.sqlite --zone Chats --type Chat --name other title=x
          echo "other: $?"
          recordpack delete Tact.sqlite new
          echo "delete: $?"
          """
        try Samples.write(Data(script.utf8), "other.sh", in: folder)
        let result = try await ToolProcess.shell("sh other.sh", in: folder)
        guard result.output.contains("read:") else {
          return print("skipped: the tool cannot be run as another user")
        }
        #expect(result.output.contains("chat-1") && result.output.contains("read: 0"))
        #expect(!result.output.contains("Tact.sqlite-"), "\(result.output)")
        #expect(result.output.contains("put: 0"), "\(result.errors)")
        #expect(result.output.contains("other: 2"))
        #expect(result.output.contains("delete: 0"), "\(result.errors)")
      }
    }
  }
#endif
