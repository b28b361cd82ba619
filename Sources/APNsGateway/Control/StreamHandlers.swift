internal import APNs
internal import Transport

/// The control API's requests about what a phone receives.
struct StreamHandlers: Sendable {
    let hub: DeviceHub

    private static let streamsPerDeviceMax = 16

    func notifications(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let query = try request.query("since", "limit", "visible")
        let since = try query.integer("since", in: 0...Int64.max) ?? 0
        let limit = Int(try query.integer("limit", in: 1...10_000) ?? 1_000)
        var deliveries = try hub.read { registries throws(GatewayError) in
            _ = try registries.devices.sequences(of: id)
            return registries.devices.deliveries(id, after: since, countMax: limit).deliveries
        }
        if try query.boolean("visible") == true { deliveries = Self.visible(deliveries) }
        return .json(ControlJSON.encode(list: "notifications", deliveries.map(\.encodedJSON)))
    }

    func acknowledge(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let fields = try request.fields("sequence")
        guard let sequence = try fields.integer("sequence", in: 0...Int64.max) else {
            throw fields.missing("sequence", allowed: "the number of a delivery")
        }
        try hub.withRegistries { registries, _, now throws(GatewayError) in
            try registries.devices.acknowledge(id, upTo: sequence, at: now)
        }
        return HTTPResponse(status: 204)
    }

    /// Opens a stream: a link with `link=true`, else a view.
    ///
    /// A link that resumes with `Last-Event-ID` has thereby acknowledged everything up to it. Without it a link begins
    /// after what was acknowledged, a view after what there is, or where `since` says.
    func stream(_ request: ControlRequest) throws(GatewayError) -> HTTPResponse {
        let id = try request.device()
        let query = try request.query("link", "since")
        let isLink = try query.boolean("link") ?? false
        let since = try query.integer("since", in: 0...Int64.max)
        let last = try Self.lastEventID(request) ?? since
        guard hub.streams(of: id).count < Self.streamsPerDeviceMax else {
            throw GatewayError(
                code: .limitReached,
                message: "device \(id) has \(Self.streamsPerDeviceMax) streams, the most allowed")
        }
        return .events(try open(id, isLink: isLink, after: last))
    }

    private func open(_ id: DeviceID, isLink: Bool, after last: Int64?) throws(GatewayError) -> EventStream {
        let (start, snapshot) = try hub.read { registries throws(GatewayError) in
            let (latest, acknowledged) = try registries.devices.sequences(of: id)
            let start = last.map { min($0, latest) } ?? (isLink ? acknowledged : latest)
            return (start, try registries.devices.snapshot(of: id))
        }
        let events = EventStream()
        let stream = DeviceStream(device: id, isLink: isLink, after: start, events: events, hub: hub)
        events.send(ServerSentEvent(name: "device", data: ControlJSON.encode(snapshot.json { _ in [] })))
        hub.add(stream)
        events.onClose { [hub] in Self.closed(stream, hub) }
        if isLink {
            try hub.withRegistries { registries, _, now throws(GatewayError) in
                if last != nil { try registries.devices.acknowledge(id, upTo: start, at: now) }
                try registries.devices.setLinked(id, true, at: now)
                try registries.devices.setOnline(id, true, at: now)
                registries.deliverStoredBroadcasts(to: id, at: now)
            }
        }
        stream.pump()
        return events
    }

    private static func closed(_ stream: DeviceStream, _ hub: DeviceHub) {
        let (wasPresent, hasOtherLink) = hub.remove(stream)
        guard wasPresent, stream.isLink, !hasOtherLink else { return }
        hub.withRegistries { registries, _, now in
            // The device may be gone.
            guard registries.devices.contains(stream.device) else { return }
            try? registries.devices.setOnline(stream.device, false, at: now)
            try? registries.devices.setLinked(stream.device, false, at: now)
        }
    }

    private static func lastEventID(_ request: ControlRequest) throws(GatewayError) -> Int64? {
        guard let text = request.request.lastEventID, !text.isEmpty else { return nil }
        guard let sequence = Int64(text), sequence >= 0 else {
            throw GatewayError(
                code: .invalidField,
                message: "found Last-Event-ID \"\(text.prefix(40))\", allowed: the number of a delivery",
                field: "Last-Event-ID")
        }
        return sequence
    }

    /// What is on screen: of deliveries of one app with one request identifier the last.
    private static func visible(_ deliveries: [Delivery]) -> [Delivery] {
        struct Key: Hashable {
            var bundleID: String
            var identifier: String
        }
        var seen: Set<Key> = []
        return deliveries.reversed().filter { delivery in
            seen.insert(
                Key(bundleID: delivery.notification.topic.bundleID, identifier: delivery.requestIdentifier)
            ).inserted
        }.reversed()
    }
}
