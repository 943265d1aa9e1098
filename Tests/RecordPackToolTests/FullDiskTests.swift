#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("A container on a full disk")
  struct FullDiskTests {
    /// The disk is a file system in memory, in a mount namespace of its own.
    @Test("is read and verified, and a change says that the disk is full")
    func full() async throws {
      try await withFolder { folder in
        try Samples.makeContainer(in: folder)
        let script = """
          mkdir disk && mount -t tmpfs -o size=1m tmpfs disk || exit 77
          cp Tact.sqlite disk
          dd if=/dev/zero of=disk/fill bs=4k 2> dd.log
          recordpack query disk/Tact.sqlite --type Chat && recordpack verify disk/Tact.sqlite
          echo "read: $?"
          recordpack put disk/Tact.sqlite --zone Chats --type Chat --name new title=x
          echo "put: $?"
          """
        try Samples.write(Data(script.utf8), "full.sh", in: folder)
        let result = try await ToolProcess.shell(
          "unshare --map-root-user --mount sh full.sh", in: folder)
        guard result.output.contains("read:") else {
          return print("skipped: this user cannot mount a file system")
        }
        #expect(result.output.contains("chat-1"))
        #expect(result.output.contains("intact: 3 records"))
        #expect(result.output.contains("read: 0"))
        #expect(result.output.contains("put: 2"))
        #expect(result.errors.contains("the disk is full; the container is unchanged"))
      }
    }
  }
#endif
