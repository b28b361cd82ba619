internal import APNs
internal import Transport

/// Reads an answer of APNs.
///
/// Apple, Handling notification responses from APNs: status, ids, and a JSON body with errors.
struct ResponseReader {
    /// What an answer's head says; status 0 when it has none.
    struct Response {
        var status = 0
        var id: NotificationID?
        var uniqueID: NotificationID?
    }

    /// Refusals come in floods of the same one.
    private var lastBody: [UInt8] = []
    private var lastErrorBody: ErrorBody?

    func head(of stream: HTTP2Stream) -> Response {
        var response = Response()
        stream.fields.forEach { name, value in
            // Told apart by their length first: this runs for every field of every answer.
            switch name.count {
            case 7 where name[0] == UInt8(ascii: ":"):
                response.status = Self.decimal(value)
            case 7 where name.elementsEqual("apns-id".utf8):
                response.id = NotificationID(utf8: value)
            case 14 where name.elementsEqual("apns-unique-id".utf8):
                response.uniqueID = NotificationID(utf8: value)
            default:
                break
            }
        }
        return response
    }

    /// The reason in an error's body; a body that is none of APNs' is carried as text.
    mutating func errorBody(_ body: [UInt8], status: Int) -> ErrorBody {
        if let lastErrorBody, body == lastBody { return lastErrorBody }
        let read = ErrorBody(json: body) ?? ErrorBody(reason: Reason("HTTP \(status)"))
        lastBody = body
        lastErrorBody = read
        return read
    }

    private static func decimal(_ text: UnsafeRawBufferPointer) -> Int {
        guard text.count == 3 else { return 0 }
        var number = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return 0 }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
