/// A whole page before it is put into the console's frame.
struct Page: Sendable {
    /// What the window and the page are called.
    var title: String
    /// Which place of the navigation it belongs to.
    var place: Place?
    /// What stands above the title: where the page is, with links.
    var trail: [(text: String, link: Link)] = []
    /// What stands beside the title.
    var actions: [Node] = []
    /// A sentence under the title.
    var lead: [Node] = []
    /// Further scripts, by the names of their files.
    var scripts: [String] = []
    /// Whether the page is a narrow column without navigation.
    var isAlone = false
    var status = 200
    var content: [Node]

    init(
        _ title: String, _ place: Place? = nil, scripts: [String] = [],
        @NodeBuilder content: () throws -> [Node]
    ) rethrows {
        self.title = title
        self.place = place
        self.scripts = scripts
        self.content = try content()
    }

    /// A place in the navigation.
    enum Place: String, Sendable, CaseIterable {
        case overview, compose, pushes, schedules, installations, events, credentials
        case apps, users, audit, gateway

        var phrase: Phrase {
            switch self {
            case .overview: .overview
            case .compose: .compose
            case .pushes: .pushes
            case .schedules: .schedules
            case .installations: .installations
            case .events: .events
            case .credentials: .credentials
            case .apps: .apps
            case .users: .users
            case .audit: .auditLog
            case .gateway: .gateway
            }
        }

        /// The places of one app.
        static let ofApp: [Place] = [
            .overview, .compose, .pushes, .schedules, .installations, .events, .credentials,
        ]
    }
}
