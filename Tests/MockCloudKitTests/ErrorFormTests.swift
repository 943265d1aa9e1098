#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import Foundation
import Testing

/// The forms in which apps recognise errors.
@Suite struct ErrorFormTests {
  private func fail(_ code: CKError.Code, _ userInfo: [String: Any] = [:]) throws {
    throw NSError(domain: CKErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  @Test func anNSErrorOfTheDomainIsCast() {
    let error: any Error = NSError(
      domain: CKErrorDomain, code: CKError.Code.zoneBusy.rawValue,
      userInfo: [CKErrorRetryAfterKey: 3.0])
    #expect((error as? CKError)?.code == .zoneBusy)
    #expect((error as? CKError)?.retryAfterSeconds == 3)
    #expect((error as NSError) as? CKError != nil)
    #expect(NSError(domain: "other", code: 1) as? CKError == nil)
    let any: any Error = NSError(domain: "other", code: 1)
    #expect(any as? CKError == nil)
    #expect(error as? CancellationError == nil)
  }

  @Test func everyFormOfCatchMatches() {
    var caught: [String] = []
    do { try fail(.zoneNotFound) } catch let error as CKError {
      caught.append("\(error.code)")
    } catch {
    }
    do { try fail(.zoneNotFound) } catch CKError.zoneNotFound { caught.append("code") } catch {}
    do { try fail(.zoneBusy) } catch let error as CKError where error.code == .zoneBusy {
      caught.append("where")
    } catch {}
    do { try fail(.quotaExceeded) } catch {
      if case CKError.quotaExceeded = error { caught.append("case") }
      if let error = error as? CKError, error.code == CKError.quotaExceeded {
        caught.append("static")
      }
      switch (error as? CKError)?.code {
      case .quotaExceeded?: caught.append("switch")
      default: break
      }
      let error = error as NSError
      if error.domain == CKErrorDomain, error.code == CKError.quotaExceeded.rawValue {
        caught.append("number")
      }
    }
    do { throw CKError(.zoneBusy) } catch CKError.zoneBusy { caught.append("own") } catch {}
    #expect(
      caught == [
        "\(CKError.Code.zoneNotFound)", "code", "where", "case", "static", "switch", "number",
        "own",
      ])
  }

  @Test func partialErrorsAreRead() {
    let id = CKRecord.ID(recordName: "a")
    let item = NSError(domain: CKErrorDomain, code: CKError.Code.serverRecordChanged.rawValue)
    let error = NSError(
      domain: CKErrorDomain, code: CKError.Code.partialFailure.rawValue,
      userInfo: [CKPartialErrorsByItemIDKey: [id: item]])
    let partial = error as? CKError
    #expect((partial?.partialErrorsByItemID?[id] as? CKError)?.code == .serverRecordChanged)
    let all = partial?.partialErrorsByItemID as? [CKRecord.ID: any Error]
    #expect((all?[id] as? CKError)?.code == .serverRecordChanged)
    let errors =
      (error.userInfo[CKPartialErrorsByItemIDKey] as? NSDictionary)?.allValues as? [CKError]
    #expect(errors?.map(\.code) == [.serverRecordChanged])
  }

  @Test func errorsAreElementsOfSets() {
    let errors: Set<CKError> = [CKError(.zoneBusy), CKError(.zoneBusy), CKError(.networkFailure)]
    #expect(errors.count == 2)
    #expect(errors.contains(CKError(.networkFailure)))
    #expect(
      CKError(.zoneBusy) == CKError(.zoneBusy) && CKError(.zoneBusy) != CKError(.quotaExceeded))
    let codes: Set<CKError.Code> = [.zoneBusy, .zoneBusy]
    #expect(codes.count == 1)
  }

  @Test func theDescriptionIsTheServers() {
    let error = CKError(.zoneBusy, userInfo: [NSLocalizedDescriptionKey: "busy"])
    #expect(error.localizedDescription == "busy")
    #expect((error as any Error).localizedDescription == "busy")
    #expect((error as NSError).localizedDescription == "busy")
    #expect((CKError(.zoneBusy) as any Error).localizedDescription.contains("CKErrorDomain"))
  }
}
