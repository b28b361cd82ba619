internal import Glibc

/// An answer written past libmicrohttpd, where that has no request to answer.
enum RawResponse {
    /// Sends what fits into the socket's buffer, without waiting.
    static func send(_ rejection: HTTPRejection, to socket: Int32) {
        let bytes = encoded(rejection)
        _ = bytes.withUnsafeBytes { bytes in
            Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }

    static func encoded(_ rejection: HTTPRejection) -> [UInt8] {
        guard case .bytes(let body) = rejection.response.body else { return [] }
        let phrase = rejection.status == 408 ? "Request Timeout" : "Too Many Requests"
        let head = """
            HTTP/1.1 \(rejection.status) \(phrase)\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            Connection: close\r
            \r

            """
        return Array(head.utf8) + body
    }
}
