#if canImport(VirtualPhone)
internal import FoundationEssentials
internal import Recurrence
internal import Transport
internal import VirtualPhone

/// What a demo's server answers beside API and console: the phones' pages and data, and the journey through time.
struct DemoPages: Sendable {
    private let phones: DemoPhones
    private let api: PhoneAPI
    private let time: DemoTime

    init(_ phones: DemoPhones, _ time: DemoTime) {
        self.phones = phones
        self.time = time
        api = PhoneAPI()
        for (owner, phone) in phones.all { api.add(phone, id: owner.id) }
    }

    /// Answers a request that is one of these; nil for all others.
    func respond(to request: HTTPRequest) async -> HTTPResponse? {
        if request.path == "/" {
            return HTTPResponse(status: 302, headers: [("Location", PhonePage.path)])
        }
        if PhonePage.owns(path: request.path) { return PhonePage.respond(to: request) }
        guard PhoneAPI.owns(path: request.path) else { return nil }
        // One phone that moved its clock alone would leave the service behind.
        if request.method == "POST", request.pathSegments.last == "actions",
            let answer = await travel(request)
        {
            return answer
        }
        return await api.respond(to: request)
    }

    private func travel(_ request: HTTPRequest) async -> HTTPResponse? {
        guard let action = try? JSONDecoder().decode(PhoneAction.self, from: Data(request.body)),
            action.action == .advance,
            let phone = phones.all.first(where: { $0.owner.id == request.pathSegments.dropFirst().first })?
                .phone
        else { return nil }
        let target: Instant
        do throws(PhoneError) {
            target = try phone.moment(ofAdvance: action.value ?? "")
        } catch {
            return .error(400, error.message)
        }
        guard target.secondsSince1970 - phone.now.secondsSince1970 <= DemoTime.secondsMax else {
            return .error(
                400, "advance: found \(action.value ?? ""), allowed: \(DemoTime.secondsMax / 86_400) days")
        }
        guard await time.travel(to: target) else { return .error(409, "a journey is under way") }
        var show = request
        show.method = "GET"
        show.pathSegments.removeLast()
        show.path = "/" + show.pathSegments.joined(separator: "/")
        return await api.respond(to: show)
    }
}
#endif
