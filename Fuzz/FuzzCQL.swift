import SQLite

/// The invariants with their database; libFuzzer calls on one thread.
nonisolated(unsafe) private let invariants = try? QueryInvariants()

/// Queries in LeanCloud's Cloud Query Language.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCQL(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let invariants else { fatalError("no database") }
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = invariants.cql(text) { fatalError(fault) }
    return 0
}
