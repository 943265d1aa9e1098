import RecordModel
import Synchronization

/// The traces that remain of each person, gathered on all threads: the graph of their records, and what each field shows. It
/// has hashes only, up to a number of them.
final class PersonTraces: Sendable {
  /// The traces of one thread, until ``PersonTraces/add(_:)`` adds them to all.
  struct Batch {
    fileprivate var looks: [(node: UInt64, kind: UInt64, all: UInt64)] = []
    fileprivate var edges: [PersonGraph.Edge] = []
    /// Edges that several threads find.
    fileprivate var shared: Set<PersonGraph.Edge> = []
    fileprivate var names: [PersonGraph.Edge] = []
    fileprivate var persons: Set<UInt64> = []
    fileprivate var parts: [(trace: Int, person: UInt64, hash: UInt64)] = []

    var isFull: Bool { looks.count + edges.count + names.count + parts.count >= 8192 }

    /// Adds what a node looks like, without the values of its record, and with them.
    mutating func look(of node: UInt64, kind: UInt64, all: UInt64) {
      looks.append((node, kind, all))
    }

    /// - Parameter isShared: Whether several threads add the same edge, which counts once.
    mutating func link(_ from: UInt64, _ to: UInt64, _ role: UInt64, isShared: Bool = false) {
      let edge = PersonGraph.Edge(from: from, to: to, role: role)
      if isShared { shared.insert(edge) } else { edges.append(edge) }
    }

    /// Adds that a node has a name, by which others can be equal to it.
    mutating func hold(_ name: UInt64, by node: UInt64, _ role: UInt64) {
      names.append(PersonGraph.Edge(from: node, to: name, role: role))
    }

    mutating func person(_ node: UInt64) { persons.insert(node) }

    /// Adds what one record of a person shows of a trace.
    mutating func add(_ trace: Int, of person: UInt64, _ hash: UInt64) {
      parts.append((trace, person, hash))
    }
  }

  private struct State {
    var graph = PersonGraph()
    var shared: Set<PersonGraph.Edge> = []
    var persons: Set<UInt64> = []
    var traceNames: [String] = []
    /// For each trace, the sum of what the records of each person show.
    var sums: [[UInt64: UInt64]] = []
    var sumCount = 0
    var assetKinds: [String: UInt64] = [:]
    var isCut = false
  }

  private let state = Mutex(State())

  /// The maximum number of sums of persons: about 50 MB.
  private static let maxSums = 1 << 21

  /// Returns the number of a trace, which the report names.
  func trace(named name: String) -> Int {
    state.withLock { state in
      if let known = state.traceNames.firstIndex(of: name) { return known }
      state.traceNames.append(name)
      state.sums.append([:])
      return state.sums.count - 1
    }
  }

  /// Notes the kind of file that an asset of the result is.
  func note(assetKind kind: UInt64, of sha256: String) {
    state.withLock { $0.assetKinds[sha256] = kind }
  }

  /// The kind of file of an asset of the result; 0 if it has no bytes.
  func assetKind(of sha256: String) -> UInt64 { state.withLock { $0.assetKinds[sha256] ?? 0 } }

  /// Adds the traces of one thread, and empties the batch.
  func add(_ batch: inout Batch) {
    state.withLock { state in
      for (node, kind, all) in batch.looks { state.graph.look(of: node, kind: kind, all: all) }
      for edge in batch.edges { state.graph.add(edge) }
      for edge in batch.names { state.graph.hold(edge) }
      state.shared.formUnion(batch.shared)
      state.persons.formUnion(batch.persons)
      for (trace, person, hash) in batch.parts {
        let hash = PersonGraph.mix(hash)
        if let known = state.sums[trace].index(forKey: person) {
          state.sums[trace].values[known] &+= hash
        } else if state.sumCount < Self.maxSums {
          state.sums[trace][person] = hash
          state.sumCount += 1
        } else {
          state.isCut = true
        }
      }
    }
    batch = Batch()
  }

  // MARK: The verdict

  /// Returns how many persons stand alone by what remains.
  func verdict() -> PersonVerdict {
    state.withLock { state in
      for edge in state.shared { state.graph.add(edge) }
      state.shared = []
      state.graph.linkHolders()
      let graph = state.graph
      var verdict = PersonVerdict(
        persons: state.persons.count, isCut: state.isCut || graph.isCut)
      let nodes = state.persons.compactMap { graph.place(ofKnown: $0) }
      // A person without a node has nothing that remains.
      let missing = state.persons.count - nodes.count
      verdict.alone = Self.alone(graph.colors(graph.looks, of: nodes), missing)
      guard verdict.alone > 0 else { return verdict }
      let structure = Self.alone(graph.colors(graph.kinds, of: nodes), missing)
      verdict.traces = [
        PersonVerdict.Trace(name: PersonVerdict.references, alone: structure)
      ]
      for (name, sums) in zip(state.traceNames, state.sums) where !sums.isEmpty {
        // The only person without any value stands alone, too.
        let alone = Self.alone(Array(sums.values), state.persons.count - sums.count)
        verdict.traces.append(PersonVerdict.Trace(name: name, alone: alone))
      }
      verdict.traces = verdict.traces.filter { $0.alone > 0 }.sorted {
        $0.alone != $1.alone ? $0.alone > $1.alone : compareUTF8($0.name, $1.name) < 0
      }
      return verdict
    }
  }

  private static func alone(_ colors: [UInt64], _ missing: Int) -> Int {
    var counts: [UInt64: Int] = [:]
    for color in colors { counts[color, default: 0] += 1 }
    return counts.values.count { $0 == 1 } + (missing == 1 ? 1 : 0)
  }
}

/// How many persons stand alone by what remains of their records.
///
/// Somebody who knows everything of everybody in the source, except for the key, can recognize at most the persons
/// that stand alone.
public struct PersonVerdict: Sendable, Hashable {
  /// Something that remains.
  public struct Trace: Sendable, Hashable {
    /// `Note.status`, or words such as ``PersonVerdict/references``.
    public var name: String
    /// The number of persons who stand alone by it.
    public var alone: Int
  }

  /// The numbers of a person's records, and the references between records, users, zones and equal values.
  public static let references = "numbers of records, and references"
  /// The fields that records have.
  public static let presence = "the fields that records have"
  /// The creation and modification dates, if they stay.
  public static let dates = "creation and modification dates"

  /// The number of persons in the source.
  public var persons = 0
  /// The number of persons who stand alone by all that remains.
  public var alone = 0
  /// The traces, and the number of persons who stand alone by each; the largest number first.
  public var traces: [Trace] = []
  /// Whether there was too much to count all of it: more persons can stand alone.
  public var isCut = false
}
