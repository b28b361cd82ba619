/// Simulator files.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAPNSFile(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = Invariants.simulatorFile(text) { fatalError(fault) }
    return 0
}
