@testable import APNs

/// What must hold for any bytes whatever, one function for each parser.
///
/// The tests of this folder call them with mutated input, the fuzz targets with what libFuzzer makes up. Each
/// gives a sentence about what does not hold, or nil.
enum Invariants {
    static func payload(_ text: [UInt8]) -> String? {
        jsonValue(text) ?? typedPayload(text) ?? lint(text) ?? errorBody(text)
    }

    static func simulatorFile(_ text: [UInt8]) -> String? {
        let findings = Lint.simulatorFile(text, now: 1_764_460_800)
        if let fault = check(findings) { return fault }
        let isSized = (1...4096).contains(text.count)
        if !isSized, !findings.contains(where: { $0.rule == .size || $0.rule == .empty }) {
            return "a file of \(text.count) bytes is not reported"
        }
        let hasAPS = (try? JSONValue(parsing: text))?["aps"] != nil
        if !hasAPS, findings.allSatisfy({ $0.severity != .error }) {
            return "a file without aps has no error"
        }
        return nil
    }

    static func providerToken(_ text: [UInt8]) -> String? {
        guard let token = try? ProviderToken(parsing: text) else { return nil }
        guard token.signingInputByteCount < text.count, text[token.signingInputByteCount] == 0x2e else {
            return "the signing input does not end at a dot"
        }
        var signature: [UInt8] = []
        Base64URL.append(token.signature, to: &signature)
        if signature != Array(text[(token.signingInputByteCount + 1)...]) {
            return "the signature does not encode to its text"
        }
        let again = try? ProviderToken(parsing: token.claims.token(signature: token.signature))
        return again?.claims == token.claims ? nil : "the claims do not survive a round trip"
    }

    /// The values of headers and of the path.
    static func headerValues(_ text: [UInt8]) -> String? {
        text.withUnsafeBytes { bytes in
            let string = String(validating: bytes, as: UTF8.self)
            if let token = DeviceToken(hexUTF8: bytes) {
                var output: [UInt8] = []
                token.appendHex(to: &output)
                if String(decoding: output, as: UTF8.self) != string?.lowercased() { return "device token" }
                if (try? DeviceToken(bytes: token.bytes)) != token { return "device token bytes" }
            }
            if let id = NotificationID(utf8: bytes), id.uuidString != string?.lowercased() {
                return "notification id"
            }
            if let topic = Topic(utf8: bytes), topic.rawValue != string { return "topic" }
            if let string, (try? Topic(string)) != Topic(utf8: bytes) { return "topic initialisers differ" }
            if let string, (try? CollapseID(string)) != CollapseID(utf8: bytes) { return "collapse id" }
            if let channel = ChannelID(utf8: bytes), channel.rawValue != string { return "channel id" }
            if let string, Reason(utf8: bytes) != Reason(string) { return "reason" }
            if let expiration = Expiration(utf8: bytes), let value = expiration.headerValue,
                string.flatMap({ Int64($0) }) != value
            {
                return "expiration"
            }
            if let priority = Priority(utf8: bytes), String(priority.rawValue) != string { return "priority" }
            if let type = PushType(utf8: bytes), type.rawValue != string { return "push type" }
            return nil
        }
    }

    // MARK: - Payloads

    private static func jsonValue(_ text: [UInt8]) -> String? {
        do throws(APNsError) {
            let value = try JSONValue(parsing: text)
            let encoded = try value.encoded()
            if try JSONValue(parsing: encoded) != value {
                return "a JSON value does not survive a round trip"
            }
            if try JSONValue(parsing: encoded).encoded() != encoded { return "encoding is not stable" }
        } catch {
            // Only the check may refuse, since only it knows the place.
            if error.code != .invalidJSON || !error.message.hasPrefix("line ") { return error.description }
        }
        return nil
    }

    private static func typedPayload(_ text: [UInt8]) -> String? {
        guard let payload = try? Payload(parsing: text) else { return nil }
        do throws(APNsError) {
            let encoded = try payload.encoded()
            if try Payload(parsing: encoded) != payload { return "a payload does not survive a round trip" }
            for limit in [encoded.count, encoded.count - 1, encoded.count * 3 / 4, encoded.count / 2, 20, 0] {
                if let fault = shortening(payload, limit) { return fault }
            }
        } catch {
            return "a payload that was read cannot be written: \(error)"
        }
        return nil
    }

    private static func shortening(_ payload: Payload, _ limit: Int) -> String? {
        do throws(APNsError) {
            let result = try payload.shortened(toByteCount: limit)
            if result.bytes.count > limit { return "a shortened payload is above its limit" }
            _ = try Payload(parsing: result.bytes)
        } catch {
            if error.code != .payloadTooLarge { return "shortening fails: \(error)" }
        }
        return nil
    }

    private static func lint(_ text: [UInt8]) -> String? {
        for type in [nil, "alert", "background", "liveactivity"] as [String?] {
            let headers = LintHeaders(pushType: type, priority: type == nil ? nil : "5")
            let findings = Lint.payload(text, headers: headers, now: 1_764_460_800)
            if let fault = check(findings) { return fault }
            if findings != Lint.payload(text, headers: headers, now: 1_764_460_800) {
                return "findings are not repeatable"
            }
            if findings.allSatisfy({ $0.severity != .error }) {
                do throws(APNsError) {
                    _ = try Payload(parsing: text)
                } catch {
                    return "no error was found in what is no payload: \(error)"
                }
            }
        }
        return nil
    }

    private static func check(_ findings: [LintFinding]) -> String? {
        if findings.count > Lint.findingCountMax { return "too many findings" }
        for finding in findings where finding.description.unicodeScalars.contains(where: { $0.value < 0x20 })
        {
            return "a finding has a control character: \(finding.rule)"
        }
        return nil
    }

    private static func errorBody(_ text: [UInt8]) -> String? {
        guard let body = ErrorBody(json: text) else { return nil }
        return ErrorBody(json: body.encoded) == body ? nil : "an error body does not survive a round trip"
    }
}
