internal import CLibuv

/// Host names to addresses, on libuv's own threads.
enum Resolver {
    /// Resolves afresh: Apple spreads load over its hosts by DNS, so nothing is kept between connections.
    ///
    /// - Parameters:
    ///   - host: a name or a literal address.
    ///   - port: of the answers.
    ///   - loop: the current loop, on which `done` runs once.
    ///   - done: takes the addresses in the order the system prefers.
    static func resolve(
        host: String, port: Int, on loop: EventLoop,
        done: @escaping (Result<[SocketAddress], TransportError>) -> Void
    ) {
        if let literal = SocketAddress(literal: host, port: port) {
            return done(.success([literal]))
        }
        let request = Request(host: host, done: done)
        var hints = belfry_stream_hints()
        let status = uv_getaddrinfo(
            loop.handle, request.handle,
            { handle, status, answer in
                guard let data = handle?.pointee.data else { return }
                Unmanaged<Request>.fromOpaque(data).takeRetainedValue().finish(status, answer)
            }, host, String(port), &hints)
        if status == 0 {
            request.handle.pointee.data = Unmanaged.passRetained(request).toOpaque()
        } else {
            done(.failure(TransportError(.resolution, "\(host): \(TCPStream.text(status))")))
        }
    }

    private final class Request {
        let handle = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
        private let host: String
        private let done: (Result<[SocketAddress], TransportError>) -> Void

        init(host: String, done: @escaping (Result<[SocketAddress], TransportError>) -> Void) {
            self.host = host
            self.done = done
        }

        deinit {
            handle.deallocate()
        }

        func finish(_ status: Int32, _ answer: UnsafeMutablePointer<addrinfo>?) {
            defer { uv_freeaddrinfo(answer) }
            guard status == 0 else {
                return done(.failure(TransportError(.resolution, "\(host): \(TCPStream.text(status))")))
            }
            var addresses: [SocketAddress] = []
            var next = answer
            while let entry = next {
                if let address = entry.pointee.ai_addr {
                    addresses.append(
                        SocketAddress(copying: address, byteCount: Int(entry.pointee.ai_addrlen)))
                }
                next = entry.pointee.ai_next
            }
            guard !addresses.isEmpty else {
                return done(.failure(TransportError(.resolution, "\(host): no address")))
            }
            done(.success(addresses))
        }
    }
}
