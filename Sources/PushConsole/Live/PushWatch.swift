internal import PushStore
internal import Recurrence
internal import Synchronization
internal import Transport

/// Tells all browsers that look at a push how it goes on: one look at the store for all of them.
final class PushWatch: Sendable {
    /// How many browsers may look at once.
    static let streamCountMax = 800
    /// How often a push is looked at.
    static let interval = Duration.seconds(1)
    /// An ended push is looked at each so many rounds: only openings change it.
    static let endedRoundCount = 5

    struct Key: Hashable, Sendable {
        var app: Int64
        /// As the browser named it: a push's id or a record's.
        var id: String
    }

    private struct Watcher {
        var stream: EventStream
        var language: Language
        var lastHTML: String
    }

    /// Who looks at one push, and what it looked like last.
    private struct Watched {
        var watchers: [Int: Watcher] = [:]
        var isEnded: Bool
        var html: [Language: String]
    }

    private struct State {
        var watched: [Key: Watched] = [:]
        var nextID = 0
        var count = 0
        var round = 0
    }

    private let store: any Store
    private let state = Mutex(State())
    /// A record's counts are read from every batch of the push: of many browsers that come at once, the first reads.
    private let firstLook = Gate(capacity: 2, waitingCountMax: PushWatch.streamCountMax)

    init(store: any Store) {
        self.store = store
    }

    /// Looks at what is watched until the task is cancelled; then closes all streams.
    func run() async {
        while !Task.isCancelled {
            await refresh()
            do { try await Task.sleep(for: Self.interval) } catch { break }
        }
        let streams = state.withLock { $0.watched.values.flatMap { $0.watchers.values.map(\.stream) } }
        for stream in streams { stream.close() }
    }

    /// How many browsers look.
    var streamCount: Int { state.withLock { $0.count } }

    /// What those who look at a push in a language were told last; for tests.
    func shownHTML(_ id: String, app: Int64, _ language: Language) -> String? {
        state.withLock { $0.watched[Key(app: app, id: id)]?.html[language] }
    }

    /// Opens a stream that tells of a push; what is known of it is sent at once.
    ///
    /// - Throws: 404 when there is none with this id, 503 when too many look.
    func open(_ id: String, app: Int64, language: Language) async throws -> EventStream {
        let key = Key(app: app, id: id)
        if let stream = try join(key, language, record: nil) { return stream }
        return try await firstLook.pass {
            if let stream = try join(key, language, record: nil) { return stream }
            guard let record = try await store.record(id: id, app: app),
                let stream = try join(key, language, record: record)
            else { throw ConsoleRefusal.nothing }
            return stream
        }
    }

    /// Adds a browser to those that look at a push.
    ///
    /// - Parameter record: how the push is now; nil takes what the others were told last.
    /// - Returns: nil when nobody looks yet and there is no record.
    private func join(
        _ key: Key, _ language: Language, record: PushRecord?
    ) throws(ConsoleRefusal) -> EventStream? {
        let stream = EventStream(eventCountMax: 16)
        let joined = try state.withLock { state throws(ConsoleRefusal) -> (id: Int, html: String)? in
            guard state.count < Self.streamCountMax else { throw ConsoleRefusal(503, .busy) }
            if let record {
                let html = LiveView(record: record, language: language).html
                let isEnded = record.pushes.allSatisfy(\.state.isFinal)
                state.watched[key, default: Watched(isEnded: isEnded, html: [:])].html[language] = html
            }
            guard let html = state.watched[key]?.html[language] else { return nil }
            state.count += 1
            state.nextID += 1
            state.watched[key]?.watchers[state.nextID] = Watcher(
                stream: stream, language: language, lastHTML: html)
            return (state.nextID, html)
        }
        guard let joined else { return nil }
        stream.onClose { [weak self] in self?.forget(key, joined.id) }
        stream.send(ServerSentEvent(name: "live", data: joined.html))
        return stream
    }

    private func forget(_ key: Key, _ id: Int) {
        state.withLock { state in
            guard state.watched[key]?.watchers.removeValue(forKey: id) != nil else { return }
            state.count -= 1
            if state.watched[key]?.watchers.isEmpty == true { state.watched[key] = nil }
        }
    }

    /// Looks at every watched push once and tells what changed; for ``run()`` and for tests.
    func refresh() async {
        let keys = state.withLock { state -> [Key] in
            state.round += 1
            let looksAtEnded = state.round.isMultiple(of: Self.endedRoundCount)
            return state.watched.filter { looksAtEnded || !$0.value.isEnded }.map(\.key)
        }
        for key in keys {
            // What cannot be read now is tried again in the next round.
            guard let record = try? await store.record(id: key.id, app: key.app) else { continue }
            tell(record, key)
        }
    }

    private func tell(_ record: PushRecord, _ key: Key) {
        let isEnded = record.pushes.allSatisfy(\.state.isFinal)
        let languages = state.withLock { state in
            guard var watched = state.watched[key] else { return Set<Language>() }
            let languages = Set(watched.watchers.values.map(\.language))
            watched.isEnded = isEnded
            // Of a language that nobody reads any more an old text must not wait for the next who comes.
            watched.html = watched.html.filter { languages.contains($0.key) }
            state.watched[key] = watched
            return languages
        }
        for language in languages {
            let html = LiveView(record: record, language: language).html
            let streams = state.withLock { state -> [EventStream] in
                state.watched[key]?.html[language] = html
                var streams: [EventStream] = []
                for (id, watcher) in state.watched[key]?.watchers ?? [:]
                where watcher.language == language && watcher.lastHTML != html {
                    state.watched[key]?.watchers[id]?.lastHTML = html
                    streams.append(watcher.stream)
                }
                return streams
            }
            let event = ServerSentEvent(name: "live", data: html)
            // Who does not take its events in connects again.
            for stream in streams where !stream.send(event) { stream.close() }
        }
    }
}
