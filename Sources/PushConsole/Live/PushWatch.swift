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
        var record: String
    }

    private struct Watcher {
        var stream: EventStream
        var language: Language
        var lastHTML: String
    }

    private struct State {
        var watchers: [Key: [Int: Watcher]] = [:]
        var ended: Set<Key> = []
        var nextID = 0
        var count = 0
        var round = 0
    }

    private let store: any Store
    private let state = Mutex(State())

    init(store: any Store) {
        self.store = store
    }

    /// Looks at what is watched until the task is cancelled; then closes all streams.
    func run() async {
        while !Task.isCancelled {
            await refresh()
            do { try await Task.sleep(for: Self.interval) } catch { break }
        }
        let streams = state.withLock { $0.watchers.values.flatMap { $0.values.map(\.stream) } }
        for stream in streams { stream.close() }
    }

    /// How many browsers look.
    var streamCount: Int { state.withLock { $0.count } }

    /// Opens a stream that tells of a record; nil when too many look.
    ///
    /// - Parameter record: as it is now; sent at once.
    func open(_ record: PushRecord, app: Int64, language: Language) -> EventStream? {
        let key = Key(app: app, record: record.objectID)
        let html = LiveView(record: record, language: language).html
        let stream = EventStream(eventCountMax: 16)
        let id = state.withLock { state -> Int? in
            guard state.count < Self.streamCountMax else { return nil }
            state.count += 1
            state.nextID += 1
            state.watchers[key, default: [:]][state.nextID] = Watcher(
                stream: stream, language: language, lastHTML: html)
            return state.nextID
        }
        guard let id else { return nil }
        stream.onClose { [weak self] in self?.forget(key, id) }
        stream.send(ServerSentEvent(name: "live", data: html))
        return stream
    }

    private func forget(_ key: Key, _ id: Int) {
        state.withLock { state in
            guard state.watchers[key]?.removeValue(forKey: id) != nil else { return }
            state.count -= 1
            if state.watchers[key]?.isEmpty == true {
                state.watchers[key] = nil
                state.ended.remove(key)
            }
        }
    }

    /// Looks at every watched push once and tells what changed; for ``run()`` and for tests.
    func refresh() async {
        let keys = state.withLock { state -> [Key] in
            state.round += 1
            let looksAtEnded = state.round.isMultiple(of: Self.endedRoundCount)
            return state.watchers.keys.filter { looksAtEnded || !state.ended.contains($0) }
        }
        for key in keys {
            // What cannot be read now is tried again in the next round.
            guard let record = try? await store.record(id: key.record, app: key.app) else { continue }
            tell(record, key)
        }
    }

    private func tell(_ record: PushRecord, _ key: Key) {
        let languages = state.withLock { state in
            if record.pushes.allSatisfy(\.state.isFinal) { state.ended.insert(key) }
            return Set((state.watchers[key] ?? [:]).values.map(\.language))
        }
        for language in languages {
            let html = LiveView(record: record, language: language).html
            let streams = state.withLock { state -> [EventStream] in
                var streams: [EventStream] = []
                for (id, watcher) in state.watchers[key] ?? [:]
                where watcher.language == language && watcher.lastHTML != html {
                    state.watchers[key]?[id]?.lastHTML = html
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
