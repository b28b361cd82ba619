/// Tells the push service what users do in the app, so that it sends them what they care for.
///
/// The service makes interests of the tags, which fade with time: a push can go to those who read about sports, and a
/// digest gives each reader the article that suits them. An event is kept on the device until the service has it, for up
/// to 29 days, or until another user signs in or this one signs out; after an answer that got lost it may count twice.
///
/// Safe from any thread.
public final class EventTracking: Sendable {
    private let queue: ReportQueue

    init(queue: ReportQueue) {
        self.queue = queue
    }

    /// How many events the service does not have yet; at most 500, then the oldest go.
    public var pendingCount: Int { queue.pendingCount(.event) }

    /// Notes an event: `try belfry.events.record("read", article: "final", tags: ["sports", "tennis"])`.
    ///
    /// - Parameters:
    ///   - name: what the user did, 1 to 64 bytes.
    ///   - article: what it was done with, 1 to 64 bytes; a digest does not offer it to this reader any more.
    ///   - tags: what that is about, up to 32 of 1 to 64 bytes, of letters, digits, `_` and `-`.
    ///   - properties: what else the service is to know, at most 2,048 bytes of JSON.
    /// - Throws: `invalidArgument` for what the service would refuse.
    public func record(
        _ name: String, article: String? = nil, tags: [String] = [], properties: [String: PayloadValue] = [:]
    ) throws(BelfryKitError) {
        queue.add(try AppEvent(name: name, article: article, tags: tags, properties: properties))
    }

    /// Waits until there is nothing to send, or nothing that can be sent now.
    ///
    /// For tests and simulators.
    public func settle() async { await queue.settle() }
}
