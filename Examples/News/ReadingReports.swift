public import BelfryKit
internal import Foundation
internal import Recurrence

/// Tells the push service what is read, so that the morning's digest suits the reader.
///
/// What could not be sent is kept and sent later: what the service gets twice counts twice, so each report goes when
/// the service has answered.
@MainActor public final class ReadingReports {
    private struct Report: Codable {
        var article: String
        var tags: [String]
        var at: String
    }

    /// Reports that are kept; then the oldest go.
    private static let reportCountMax = 200
    private static let reportsKey = "news.reports"

    private let service: PushServiceAddress
    private let transport: any HTTPTransport
    private let storage: any KeyValueStorage
    private let time: any DeviceTime
    private let installation: @Sendable () -> String?
    private var reports: [Report]
    private var isSending = false

    /// Makes the reports.
    ///
    /// - Parameter installation: the device's id at the service; nil before it is registered, and reports wait for it.
    public init(
        service: PushServiceAddress, transport: any HTTPTransport, storage: any KeyValueStorage,
        time: any DeviceTime, installation: @escaping @Sendable () -> String?
    ) {
        self.service = service
        self.transport = transport
        self.storage = storage
        self.time = time
        self.installation = installation
        reports =
            storage.data(forKey: Self.reportsKey)
            .flatMap { try? JSONDecoder().decode([Report].self, from: $0) } ?? []
    }

    /// How many the service does not have yet.
    public var waitingCount: Int { reports.count }

    /// The user read an article.
    public func record(_ article: Article) async {
        reports.append(Report(article: article.id, tags: article.tags, at: time.now.iso8601))
        reports = reports.suffix(Self.reportCountMax)
        keep()
        await send()
    }

    /// Sends what waits.
    public func send() async {
        guard let installation = installation(), !reports.isEmpty, !isSending else { return }
        isSending = true
        defer { isSending = false }
        let sent = reports
        let events: [PayloadValue] = sent.map { report in
            [
                "installation": .string(installation), "name": "read", "article": .string(report.article),
                "tags": .array(report.tags.map(PayloadValue.string)), "at": .string(report.at),
            ]
        }
        do {
            let body: PayloadValue = ["events": .array(events)]
            let answer = try await transport.send(
                ServiceRequest(
                    method: "POST", url: service.url.appendingPathComponent("1.1/events"),
                    headers: [
                        "Content-Type": "application/json", "X-LC-Id": service.applicationID,
                        "X-LC-Key": service.applicationKey,
                    ], body: JSONEncoder().encode(body)))
            // A refusal will be one next time, too; a service in trouble will not.
            guard answer.status < 500, answer.status != 429 else { return }
        } catch {
            return
        }
        reports.removeFirst(min(sent.count, reports.count))
        keep()
    }

    /// What cannot be kept is sent all the same, while the app runs.
    private func keep() { try? storage.setData(JSONEncoder().encode(reports), forKey: Self.reportsKey) }
}
