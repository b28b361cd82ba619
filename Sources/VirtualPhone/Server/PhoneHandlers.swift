internal import FoundationEssentials
internal import Synchronization
internal import Transport

/// What the requests of a ``PhoneAPI`` do.
final class PhoneHandlers: Sendable {
    private struct Contents {
        var phones: [(id: String, phone: VirtualPhone)] = []
    }

    /// Entries that are sent to a stream that begins without `Last-Event-ID`.
    private static let journalCountMax = 1_000
    private static let streamCountMax = 1_000

    private let contents = Mutex(Contents())
    private let streamCount = Mutex(0)

    func add(_ phone: VirtualPhone, id: String) {
        contents.withLock { contents in
            contents.phones.removeAll { $0.id == id }
            contents.phones.append((id, phone))
        }
    }

    func remove(id: String) { contents.withLock { $0.phones.removeAll { $0.id == id } } }

    private func phone(_ parameters: PathParameters) -> VirtualPhone? {
        contents.withLock { contents in contents.phones.first { $0.id == parameters["id"] }?.phone }
    }

    private func answer(
        _ parameters: PathParameters, _ body: (VirtualPhone) -> HTTPResponse
    ) -> HTTPResponse {
        guard let phone = phone(parameters) else { return noPhone(parameters) }
        return body(phone)
    }

    private func noPhone(_ parameters: PathParameters) -> HTTPResponse {
        let ids = contents.withLock { $0.phones.map(\.id) }
        return .error(
            404,
            "found the phone \"\((parameters["id"]).prefix(60))\", allowed: \(ids.joined(separator: ", "))")
    }

    func list() -> HTTPResponse {
        struct Item: Encodable {
            var id: String
            var name: String
            var time: String
            var zone: String
            var language: String
        }
        let items = contents.withLock { $0.phones }.map { id, phone in
            let state = phone.state
            return Item(
                id: id, name: state.name, time: state.time, zone: state.zone, language: state.language)
        }
        return Self.json(["phones": items])
    }

    func show(_ parameters: PathParameters) -> HTTPResponse {
        answer(parameters) { Self.json($0.state) }
    }

    func journal(_ request: HTTPRequest, _ parameters: PathParameters) -> HTTPResponse {
        let since = request.queryValue(named: "since").flatMap(Int.init) ?? 0
        return answer(parameters) { phone in
            Self.json(Array(phone.journal.filter { $0.number > since }.suffix(Self.journalCountMax)))
        }
    }

    func events(_ request: HTTPRequest, _ parameters: PathParameters) -> HTTPResponse {
        let last = request.lastEventID.flatMap(Int.init)
        return answer(parameters) { events($0, after: last) }
    }

    func act(_ request: HTTPRequest, _ parameters: PathParameters) async -> HTTPResponse {
        guard let phone = phone(parameters) else { return noPhone(parameters) }
        let action: PhoneAction
        do {
            action = try JSONDecoder().decode(PhoneAction.self, from: Data(request.body))
        } catch {
            return .error(
                400,
                "found a body that is no action, allowed: {\"action\": NAME, \"notification\", \"app\", \"value\", "
                    + "\"text\", \"payload\"} with NAME one of "
                    + PhoneAction.Name.allCases.map(\.rawValue).joined(separator: ", "))
        }
        do throws(PhoneError) {
            try await phone.perform(action)
            return Self.json(phone.state)
        } catch {
            let status =
                switch error.code {
                case .app, .notification: 404
                case .state: 409
                case .link: 502
                default: 400
                }
            return .error(status, error.message)
        }
    }

    // MARK: Events

    private func events(_ phone: VirtualPhone, after last: Int?) -> HTTPResponse {
        let isTaken = streamCount.withLock { count in
            guard count < Self.streamCountMax else { return false }
            count += 1
            return true
        }
        guard isTaken else { return .error(503, "\(Self.streamCountMax) streams are open, the most allowed") }
        let stream = EventStream(eventCountMax: Self.journalCountMax * 2)
        let listener = phone.listen(replayingAfter: last) { entry in
            // A reader that is too slow connects again and goes on where it was.
            if !stream.send(Self.event(entry)) { stream.close() }
        }
        stream.onClose { [self] in
            streamCount.withLock { $0 -= 1 }
            // Not on the spot: the listener may be what has closed the stream, inside the phone's lock.
            Task { phone.stopListening(listener) }
        }
        return .events(stream)
    }

    private static func event(_ entry: JournalEntry) -> ServerSentEvent {
        ServerSentEvent(id: String(entry.number), name: "entry", data: encode(entry))
    }

    // MARK: JSON

    private static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Nothing in these values has no JSON form.
        return (try? encoder.encode(value)).map { Array($0) } ?? Array("null".utf8)
    }

    private static func json(_ value: some Encodable) -> HTTPResponse {
        var response = HTTPResponse.json(encode(value))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
