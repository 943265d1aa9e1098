#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite(.enabled(if: Command.exists("curl"), "curl is not installed"))
  struct MovedFileTests {
    /// Serves `Tact.sqlite` beside `new.sqlite`, saves `a`, runs a script, and ends the server.
    private func serve(
      _ event: String, signal: String, _ after: String
    ) async throws -> ToolProcess.Result {
      try await withFolder { folder in
        try Samples.makeContainer(in: folder)
        try Samples.makeContainer(in: folder, name: "new.sqlite", text: "New", messages: 9)
        let script = """
          export TMPDIR=$PWD
          cp new.sqlite keep.sqlite
          recordpack serve Tact.sqlite --port 0 --ready-file ready > out 2> errors & P=$!
          until [ -s ready ]; do sleep 0.05; done
          save() {
            curl -sS "$(cat ready)/database/1/iCloud.com.example.tact/development/private/records/modify\
          ?ckAPIToken=t&ckWebAuthToken=__defaultOwner__" -d '{"operations":[{"operationType":"create",
              "record":{"recordType":"Note","recordName":"'$1'"}}]}'
            echo
          }
          save a | grep -q '"recordChangeTag"' && echo "a: saved"
          \(event)
          kill -\(signal) $P; wait $P; echo "serve: $?"
          cat errors
          cmp Tact.sqlite keep.sqlite && echo "the file is the new one"
          \(after)
          """
        return try await ToolProcess.shell(script, in: folder)
      }
    }

    private static let replacements = [
      "mv new.sqlite Tact.sqlite",
      "cp new.sqlite .Tact.sqlite.part; mv .Tact.sqlite.part Tact.sqlite",
      """
      git init -q . && cp new.sqlite x && cp Tact.sqlite y
      rm Tact.sqlite; cp new.sqlite Tact.sqlite; git add -f Tact.sqlite
      git -c user.name=a -c user.email=a@b commit -qm a
      rm Tact.sqlite; cp y Tact.sqlite; git checkout -q -f Tact.sqlite
      """,
    ]

    @Test(
      "a file that is replaced while it is served is not changed, and the container is kept",
      arguments: replacements)
    func replaced(event: String) async throws {
      let result = try await serve(
        event + "\nsleep 0.5; save b", signal: "TERM",
        """
        recordpack verify Tact.sqlite; echo "verify: $?"
        for name in a b; do recordpack query recordpack-kept-*.sqlite --name $name --fields recordName; done
        ls *-wal* *-shm
        """)
      #expect(result.output.contains("a: saved"))
      #expect(result.output.contains("the container's file was moved or replaced"))
      #expect(result.output.contains("serve: 2"))
      #expect(result.output.contains("was moved, replaced, removed or written over"))
      #expect(result.output.contains("is kept as"))
      #expect(result.output.contains("the file is the new one"))
      #expect(result.output.contains("verify: 0"), "\(result.output)")
      #expect(result.output.contains("\na ") && !result.output.contains("\nb "))
      #expect(!result.output.contains("-wal"))
    }

    @Test("a file that is moved while it is served has all that was saved")
    func moved() async throws {
      let result = try await serve(
        "mv Tact.sqlite moved.sqlite; sleep 0.5; save b", signal: "TERM",
        """
        recordpack verify moved.sqlite; echo "verify: $?"
        for name in a b; do recordpack query moved.sqlite --name $name --fields recordName; done; ls
        """)
      #expect(result.output.contains("the container's file was moved or replaced"))
      #expect(result.output.contains("serve: 2"))
      #expect(result.output.contains("verify: 0"), "\(result.output)")
      #expect(result.output.contains("\na ") && !result.output.contains("\nb "))
      #expect(!result.output.contains("-wal") && !result.output.contains("kept"))
    }

    @Test(
      "the log of a killed server is not merged into a file that replaces its own",
      arguments: replacements + ["cp new.sqlite Tact.sqlite"])
    func killed(event: String) async throws {
      let result = try await serve(
        "kill -STOP $P\n" + event, signal: "KILL",
        """
        recordpack verify Tact.sqlite 2>&1; echo "first: $?"
        recordpack verify Tact.sqlite; echo "second: $?"
        cmp Tact.sqlite keep.sqlite && echo "unchanged"
        ls
        """)
      #expect(result.output.contains("the file is the new one"))
      #expect(result.output.contains("It is kept as"), "\(result.output)")
      #expect(result.output.contains("first: 2") && result.output.contains("second: 0"))
      #expect(result.output.contains("unchanged"))
      #expect(result.output.contains("Tact.sqlite-wal.1"))
    }

    @Test("a container that cannot be written at the end is kept")
    func output() async throws {
      try await withFolder { folder in
        try await Samples.makeBundle(in: folder)
        let script = """
          export TMPDIR=$PWD
          mkdir out
          recordpack serve Tact.recordpack -o out/c.recordpack --port 0 --ready-file ready 2> errors > log &
          P=$!
          until [ -s ready ]; do sleep 0.05; done
          rm -r out; kill $P; wait $P; echo "serve: $?"; cat errors
          recordpack query recordpack-kept-*.sqlite --type Chat --fields recordName
          """
        let result = try await ToolProcess.shell(script, in: folder)
        #expect(result.output.contains("serve: 2"), "\(result.errors)")
        #expect(result.output.contains("the container with all changes is kept as"))
        #expect(result.output.contains("chat-1"))
      }
    }

    @Test("a file that is mounted by itself is opened for reading only")
    func mounted() async throws {
      try await withFolder { folder in
        try Samples.makeContainer(in: folder)
        let script = """
          touch mounted.sqlite; mount --bind Tact.sqlite mounted.sqlite || exit 77
          recordpack put mounted.sqlite --zone Chats --type Chat --name b title=x; echo "put: $?"
          recordpack query mounted.sqlite --type Chat --fields recordName; echo "query: $?"
          recordpack put Tact.sqlite --zone Chats --type Chat --name c title=x -q; echo "own: $?"
          mkdir folder; mount --bind . folder
          recordpack put folder/Tact.sqlite --zone Chats --type Chat --name d title=x -q; echo "folder: $?"
          """
        try Samples.write(Data(script.utf8), "mounted.sh", in: folder)
        let result = try await ToolProcess.shell(
          "unshare --map-root-user --mount sh mounted.sh", in: folder)
        guard result.code != 77, result.output.contains("put:") else {
          return print("skipped: this user cannot mount a file")
        }
        #expect(result.output.contains("put: 2"))
        #expect(result.errors.contains("the file itself is mounted there"))
        #expect(result.errors.contains("mount its folder"))
        #expect(result.output.contains("query: 0") && result.output.contains("chat-1"))
        #expect(result.output.contains("own: 0") && result.output.contains("folder: 0"))
      }
    }

    @Test("a full disk is named to the client, and the server goes on")
    func fullDisk() async throws {
      try await withFolder { folder in
        try Samples.makeContainer(in: folder)
        let script = """
          mkdir disk && mount -t tmpfs -o size=2m tmpfs disk || exit 77
          cp Tact.sqlite disk; cd disk
          recordpack serve Tact.sqlite --port 0 --ready-file ../ready --request-log ../log > ../out & P=$!
          until [ -s ../ready ]; do sleep 0.05; done
          dd if=/dev/zero of=fill bs=4k 2> ../dd.log
          save() {
            curl -sS "$(cat ../ready)/database/1/iCloud.com.example.tact/development/private/records/modify\
          ?ckAPIToken=t&ckWebAuthToken=__defaultOwner__" -d '{"operations":[{"operationType":"create",
              "record":{"recordType":"Note","recordName":"'$1'"}}]}'
            echo
          }
          for i in 1 2 3 4 5 6 7 8 9; do save a$i; done > ../answers
          rm fill; save last
          kill $P; wait $P; echo "serve: $?"; cd ..; grep -c 'the disk is full' answers log
          """
        try Samples.write(Data(script.utf8), "full.sh", in: folder)
        let result = try await ToolProcess.shell(
          "unshare --map-root-user --mount sh full.sh", in: folder)
        guard result.code != 77, result.output.contains("serve:") else {
          return print("skipped: this user cannot mount a file system")
        }
        #expect(result.output.contains("\"recordName\":\"last\""), "\(result)")
        #expect(result.output.contains("serve: 0"))
        #expect(!result.output.contains("answers:0"), "\(result)")
      }
    }

    @Test(
      "a reader who may not write leaves nothing, and files that are left are named",
      .enabled(if: geteuid() == 0, "only root can run a program as another user"))
    func readers() async throws {
      try await withFolder { folder in
        try Samples.makeContainer(in: folder)
        let script = """
          chmod 777 .; chmod 644 Tact.sqlite
          as() { setpriv --reuid=$1 --regid=$1 --clear-groups env HOME=$PWD sh -c "$2"; }
          chown 12345:12345 Tact.sqlite
          as 23456 'recordpack query Tact.sqlite --type Chat --fields recordName'; echo "query: $?"; ls
          as 12345 'recordpack put Tact.sqlite --zone Chats --type Chat --name b title=x -q'; echo "put: $?"
          as 23456 'umask 022; : > Tact.sqlite-wal; : > Tact.sqlite-shm'
          as 12345 'recordpack put Tact.sqlite --zone Chats --type Chat --name c title=x -q'; echo "left: $?"
          """
        let result = try await ToolProcess.shell(script, in: folder)
        #expect(result.output.contains("query: 0"), "\(result)")
        #expect(!result.output.contains("-shm") && !result.output.contains("-wal"), "\(result)")
        #expect(result.output.contains("put: 0"), "\(result)")
        #expect(result.output.contains("left: 2"))
        #expect(result.errors.contains("Tact.sqlite-wal' and '"), "\(result)")
      }
    }
  }
#endif
