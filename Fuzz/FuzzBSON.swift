/// BSON backups, and documents of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBSON(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = ImportInvariants.bson(bytes) { fatalError(fault) }
    return 0
}
