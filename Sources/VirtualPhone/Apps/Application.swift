public import Foundation
public import Recurrence
public import UserNotifications
internal import Synchronization

/// The running app as it sees itself, with the names of `UIApplication`.
///
/// One object for each process; what it is asked after the process has ended has no effect. Callable from any thread.
public final class Application: Sendable {
    private struct Contents {
        weak var phone: VirtualPhone?
        var state: ApplicationState
        var isEnded = false
        var backgroundTaskCount = 0
    }

    /// What the bundle says.
    public let manifest: AppManifest
    /// What survives the process.
    public let storage: AppStorage
    /// The app's notification centre; `current()` gives it too.
    public let userNotificationCenter: UNUserNotificationCenter
    private let contents: Mutex<Contents>
    /// Where VoIP pushes go.
    @MainActor private(set) weak var pushRegistry: PKPushRegistry?

    init(
        manifest: AppManifest, storage: AppStorage, center: UNUserNotificationCenter, phone: VirtualPhone,
        state: ApplicationState
    ) {
        self.manifest = manifest
        self.storage = storage
        userNotificationCenter = center
        contents = Mutex(Contents(phone: phone, state: state))
    }

    /// The phone, while the process runs.
    var phone: VirtualPhone? { contents.withLock { $0.isEnded ? nil : $0.phone } }

    func setState(_ state: ApplicationState) { contents.withLock { $0.state = state } }
    func end() { contents.withLock { $0.isEnded = true } }

    /// Whether the process has ended.
    public var isTerminated: Bool { contents.withLock { $0.isEnded } }

    /// Where the app is.
    public var applicationState: ApplicationState { contents.withLock { $0.state } }

    // MARK: Remote notifications

    /// Asks for the device token, which comes to the app's delegate.
    public func registerForRemoteNotifications() { phone?.register(manifest.bundleIdentifier) }

    /// Gives the device token up: remote notifications do not come any more.
    public func unregisterForRemoteNotifications() { phone?.unregister(manifest.bundleIdentifier) }

    /// Whether the app has registered and not given up.
    public var isRegisteredForRemoteNotifications: Bool {
        phone?.isRegistered(manifest.bundleIdentifier) ?? false
    }

    /// The number on the icon; 0 clears the app's notifications too (Apple: deprecated in favour of the centre's).
    public var applicationIconBadgeNumber: Int {
        get { phone?.badge(of: manifest.bundleIdentifier) ?? 0 }
        set { phone?.setIconBadge(newValue, of: manifest.bundleIdentifier) }
    }

    // MARK: Calls

    @MainActor func registerForVoIP(_ registry: PKPushRegistry) {
        pushRegistry = registry
        phone?.registerForVoIP(manifest.bundleIdentifier)
    }

    /// Shows the user that somebody calls (CallKit: `CXProvider.reportNewIncomingCall`).
    ///
    /// - Parameter handle: who calls: a number, an address, a name.
    public func reportNewIncomingCall(from handle: String) {
        phone?.reportCall(from: handle, to: manifest.bundleIdentifier)
    }

    // MARK: Background

    /// Whether the user lets the app work in the background.
    public var isBackgroundRefreshAvailable: Bool {
        phone?.isBackgroundRefreshAvailable(manifest.bundleIdentifier) ?? false
    }

    /// Asks to be woken for a refresh, not before a moment; a new request takes the place of the last.
    ///
    /// - Returns: whether it may: with the background mode `fetch`.
    @discardableResult
    public func submitBackgroundRefresh(earliestBegin: Instant) -> Bool {
        phone?.submitRefresh(manifest.bundleIdentifier, at: earliestBegin) ?? false
    }

    /// Keeps the app from being suspended until `endBackgroundTask`, at most for 30 s.
    ///
    /// - Returns: the number of the task; 0 when it could not begin.
    public func beginBackgroundTask() -> Int { phone?.beginBackgroundTask(manifest.bundleIdentifier) ?? 0 }

    /// The task is done.
    public func endBackgroundTask(_ number: Int) { phone?.endWork(number, of: manifest.bundleIdentifier) }

    // MARK: The user

    /// Leads the user to the app's page in Settings (`openSettingsURLString`).
    public func openNotificationSettings() { phone?.openSettings(of: manifest.bundleIdentifier) }

    /// Opens an address outside the app; the phone's journal shows it.
    public func open(_ url: URL) { phone?.openURL(url.absoluteString, from: manifest.bundleIdentifier) }

    // MARK: The device

    /// The moment by the phone's clock.
    public var now: Instant { phone?.now ?? Instant(millisecondsSince1970: 0) }

    /// The phone's time zone.
    public var zone: Zone { phone?.zone ?? .utc }

    /// The phone's language, such as `zh-Hans`.
    public var language: String { phone?.language ?? manifest.developmentLanguage }

    /// Whether the phone was unlocked since it was started: without that, protected files are unavailable.
    public var isProtectedDataAvailable: Bool { phone.map { !$0.isLocked } ?? false }

    /// What stands for this app on this phone, and for no other (`UIDevice.identifierForVendor`); another one after the
    /// app was deleted, and on the phone that a backup was restored to.
    public var identifierForVendor: String { phone?.vendorIdentifier(of: manifest.bundleIdentifier) ?? "" }

    /// Whether the phone has a connection.
    public var isOnline: Bool { phone.map { !$0.state.isAirplane } ?? false }

    // MARK: Time

    /// Does something that a test which waits for the phone to be at rest waits for too: a request over a network.
    ///
    /// The delegate's functions do not need it, nor does what the notification centre is asked for.
    public func whileBusy<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        guard let phone else { return try await body() }
        let ticket = phone.ticket(for: manifest.bundleIdentifier)
        defer { phone.end(ticket) }
        return try await CallbackTicket.$current.withValue(ticket) { try await body() }
    }

    /// The same for what nobody awaits: from this call on the phone is not at rest until the closure returns.
    func keepBusy(_ body: @escaping @Sendable () async -> Void) {
        guard let phone else { return }
        let ticket = phone.ticket(for: manifest.bundleIdentifier)
        // Ends with the body.
        Task {
            await CallbackTicket.$current.withValue(ticket) { await body() }
            phone.end(ticket)
        }
    }

    /// Waits until a moment by the phone's clock, or until the task is cancelled or the process has ended.
    public func wait(until instant: Instant) async {
        let milliseconds = instant.millisecondsSince1970 - now.millisecondsSince1970
        guard milliseconds > 0 else { return }
        // The end of the wait says all there is to say.
        try? await phone?.sleep(milliseconds: milliseconds, app: manifest.bundleIdentifier)
    }

    /// Waits by the phone's clock, which a test moves.
    ///
    /// - Throws: `CancellationError` when the task is cancelled or the process ended meanwhile.
    public func sleep(seconds: Double) async throws {
        guard let phone else { throw CancellationError() }
        try await phone.sleep(milliseconds: Int64((seconds * 1000).rounded()), app: manifest.bundleIdentifier)
        if isTerminated { throw CancellationError() }
    }
}
