import SQLite

/// The invariants with their database; libFuzzer calls on one thread.
nonisolated(unsafe) private let invariants = try? QueryInvariants()

/// Conditions as JSON, in memory and in a database.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWhere(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let invariants else { fatalError("no database") }
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = invariants.whereClause(text) { fatalError(fault) }
    return 0
}
