import APNsGateway

/// Header fields in memory that stays where it is as long as the list lives.
final class FieldList: HeaderFieldSource {
    private var fields: [(name: UnsafeMutableRawBufferPointer, value: UnsafeMutableRawBufferPointer)]

    init(_ fields: [(String, String)]) {
        self.fields = fields.map { (FieldList.copy($0.0), FieldList.copy($0.1)) }
    }

    deinit {
        for field in fields {
            field.name.deallocate()
            field.value.deallocate()
        }
    }

    func forEachField(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) {
        for field in fields { body(UnsafeRawBufferPointer(field.name), UnsafeRawBufferPointer(field.value)) }
    }

    private static func copy(_ text: String) -> UnsafeMutableRawBufferPointer {
        let bytes = Array(text.utf8)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        return memory
    }
}

/// Calls a closure with the bytes of a text.
func withBytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try Array(text.utf8).withUnsafeBytes(body)
}
