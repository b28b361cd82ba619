/// JSON exports, cut into pieces anywhere.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImportJSON(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = ImportInvariants.json(text) { fatalError(fault) }
    return 0
}
