internal import CCurl

/// One running transfer; used on the client's thread only.
final class HTTPTransfer {
    let job: HTTPClientCore.Job
    /// libcurl's handle.
    let easy: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    private var headers = HTTPHeaders()
    private var headerByteCount = 0
    private var body: [UInt8] = []
    /// Which limit the answer has passed.
    private var passedLimit: String?

    /// The largest head of an answer, in bytes.
    private static let headerByteCountMax = 64 << 10

    init(_ job: HTTPClientCore.Job, _ configuration: HTTPClient.Configuration) throws(TransportError) {
        guard let easy = curl_easy_init() else {
            throw TransportError(.limit, "libcurl made no further handle")
        }
        self.job = job
        self.easy = easy
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let request = job.request
        set(CURLOPT_URL, request.url)
        _ = belfry_curl_allow_http_only(easy)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // Timeouts without signals, which other threads would get.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROXY, configuration.proxy ?? "")
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = configuration.certificateFile {
            set(CURLOPT_CAINFO, file)
            _ = belfry_curl_set_text(easy, CURLOPT_CAPATH, nil)
        }
        set(CURLOPT_TIMEOUT_MS, request.timeout.wholeMilliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        _ = belfry_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        setMethod(request)
        setFields(request)
        _ = belfry_curl_set_receivers(
            easy, HTTPTransfer.receiveBody, HTTPTransfer.receiveHeader,
            Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        errorText.deallocate()
    }

    private func set(_ option: CURLoption, _ number: Int) {
        _ = belfry_curl_set_number(easy, option, number)
    }

    private func set(_ option: CURLoption, _ text: String) {
        _ = belfry_curl_set_text(easy, option, text)
    }

    private func setMethod(_ request: HTTPClientRequest) {
        if let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil) {
            _ = body.withUnsafeBytes { bytes in
                // An empty body has no address; libcurl would take none for "read it from somewhere".
                belfry_curl_set_body(easy, bytes.baseAddress ?? UnsafeRawPointer(errorText), bytes.count)
            }
        } else if request.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
        }
        set(CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setFields(_ request: HTTPClientRequest) {
        for field in request.headers {
            // "Name;" is how libcurl is told of a field without a value.
            fields = curl_slist_append(
                fields, field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // The question whether the body is welcome costs a round trip, and the type is the caller's to say.
        fields = curl_slist_append(fields, "Expect:")
        if request.method != "GET",
            !request.headers.contains(where: { $0.name.isSameHeaderName(as: "content-type") })
        {
            fields = curl_slist_append(fields, "Content-Type:")
        }
        _ = belfry_curl_set_headers(easy, fields)
    }

    // MARK: - Receiving

    private static let receiveBody: belfry_curl_receiver = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().receiveBody(piece)
    }

    private static let receiveHeader: belfry_curl_receiver = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().receiveHeader(line)
    }

    private func receiveBody(_ piece: UnsafeRawBufferPointer) -> Int {
        if let receive = job.receive, belfry_curl_status(easy) == 200 {
            receive(Array(piece))
            return piece.count
        }
        guard body.count + piece.count <= job.request.responseByteCountMax else {
            passedLimit = "the answer has more than \(job.request.responseByteCountMax) bytes"
            return 0
        }
        body.append(contentsOf: piece)
        return piece.count
    }

    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        headerByteCount += line.count
        guard headerByteCount <= Self.headerByteCountMax else {
            passedLimit = "the head of the answer has more than \(Self.headerByteCountMax) bytes"
            return 0
        }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // Another head follows an informational one.
            headers = HTTPHeaders()
        } else if let colon = text.utf8.firstIndex(of: 0x3a) {
            let value = text[text.index(after: colon)...]
            headers.append(name: String(text[..<colon]), value: value.withoutBlanksAround)
        }
        return line.count
    }

    // MARK: - The end

    /// Hands over the answer or the error; libcurl is done with the handle.
    func finish(_ code: CURLcode) {
        guard code != CURLE_OK else {
            let status = belfry_curl_status(easy)
            return job.finish(.success(HTTPClientResponse(status: status, headers: headers, body: body)))
        }
        if let passedLimit { return job.finish(.failure(TransportError(.limit, passedLimit))) }
        let detail = String(cString: errorText)
        let text = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        job.finish(.failure(TransportError(Self.code(of: code), text)))
    }

    private static func code(of code: CURLcode) -> TransportError.Code {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .resolution
        case CURLE_COULDNT_CONNECT: .connect
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            .tls
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
        case CURLE_URL_MALFORMAT: .argument
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY: .limit
        default: .connectionLost
        }
    }
}

extension Duration {
    /// At least one.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}

extension Substring {
    fileprivate var withoutBlanksAround: String {
        guard let start = unicodeScalars.firstIndex(where: { $0.value > 0x20 }),
            let end = unicodeScalars.lastIndex(where: { $0.value > 0x20 })
        else { return "" }
        return String(self[start...end])
    }
}
