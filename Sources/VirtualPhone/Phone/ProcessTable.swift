/// The processes of a phone's apps.
@MainActor
final class ProcessTable {
    struct Process {
        let app: any PhoneApp
        let application: Application
    }

    var processes: [String: Process] = [:]

    nonisolated init() {}
}
