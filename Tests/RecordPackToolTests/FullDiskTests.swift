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

    @Test("is served, and the error and the log of a save name the disk")
    func served() async throws {
      try await withFolder { folder in
        try Samples.makeContainer(in: folder)
        let script = """
          mkdir disk && mount -t tmpfs -o size=1m tmpfs disk || exit 77
          cp Tact.sqlite disk
          recordpack serve disk/Tact.sqlite --port 0 --ready-file ready --request-log log & P=$!
          until [ -s ready ]; do sleep 0.05; done
          dd if=/dev/zero of=disk/fill bs=4k 2> dd.log
          text=$(head -c 60000 /dev/zero | tr '\\0' x)
          for i in 1 2 3 4 5 6; do
            echo '{"operations":[{"operationType":"create","record":{"recordType":"Note","fields":
              {"t":{"value":"'$text'"}}}}]}' > body
            curl -sS "$(cat ready)/database/1/iCloud.com.example.tact/development/private/records/modify\
          ?ckAPIToken=t&ckWebAuthToken=__defaultOwner__" -d @body | head -c 300
          done
          kill $P; wait $P; echo; echo "log:"; cat log
          """
        try Samples.write(Data(script.utf8), "full.sh", in: folder)
        let result = try await ToolProcess.shell(
          "unshare --map-root-user --mount sh full.sh", in: folder)
        guard result.output.contains("log:") else {
          return print("skipped: this user cannot mount a file system")
        }
        let parts = result.output.components(separatedBy: "log:")
        for part in parts {
          #expect(part.contains("the disk is full; the container is unchanged"), "\(part)")
        }
      }
    }
  }
#endif
