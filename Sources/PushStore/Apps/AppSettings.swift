/// How the service treats one app; stored as JSON, where an absent key means its default.
public struct AppSettings: Sendable, Hashable, Codable {
    /// Hours of the day in which nothing is shown, in each device's own zone.
    public struct QuietHours: Sendable, Hashable, Codable {
        /// Minutes after midnight at which they begin, 0...1439.
        public var startMinute: Int
        /// Minutes after midnight at which they end; smaller than the start when they cross midnight.
        public var endMinute: Int

        /// Makes quiet hours.
        public init(startMinute: Int, endMinute: Int) {
            self.startMinute = startMinute
            self.endMinute = endMinute
        }
    }

    /// The most pushes one installation is sent in a span of time.
    public struct FrequencyCap: Sendable, Hashable, Codable {
        /// How many, at least 1.
        public var countMax: Int
        /// In how many seconds.
        public var seconds: Int

        /// Makes a cap.
        public init(countMax: Int, seconds: Int) {
            self.countMax = countMax
            self.seconds = seconds
        }
    }

    /// Whether the app key may send pushes, as LeanCloud's option for client-side sending; off by default.
    public var allowsClientPush: Bool
    /// When nothing is shown; deferred, not dropped.
    public var quietHours: QuietHours?
    /// How often one installation is reached at most.
    public var frequencyCap: FrequencyCap?
    /// How long delivery records are kept.
    ///
    /// LeanCloud keeps them 7 days.
    public var recordDays: Int
    /// How long entries of the audit log that concern the app are kept; those that concern no app are kept for the
    /// default, 400 days.
    public var auditDays: Int
    /// After how long without an update an installation is no target and is removed.
    ///
    /// LeanCloud: 90 days.
    public var installationDays: Int
    /// Requests a second before 429, over all clients of the app; 0 for no limit.
    public var requestsPerSecondMax: Int
    /// The language of texts for devices whose language has no text.
    public var defaultLanguage: String?

    /// Makes settings; the defaults are LeanCloud's, where it has one.
    public init() {
        allowsClientPush = false
        recordDays = 7
        auditDays = 400
        installationDays = 90
        requestsPerSecondMax = 0
    }

    /// Reads stored settings; absent keys keep their defaults.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        allowsClientPush = try container.decodeIfPresent(Bool.self, forKey: .allowsClientPush) ?? false
        quietHours = try container.decodeIfPresent(QuietHours.self, forKey: .quietHours)
        frequencyCap = try container.decodeIfPresent(FrequencyCap.self, forKey: .frequencyCap)
        recordDays = try container.decodeIfPresent(Int.self, forKey: .recordDays) ?? recordDays
        auditDays = try container.decodeIfPresent(Int.self, forKey: .auditDays) ?? auditDays
        installationDays =
            try container.decodeIfPresent(Int.self, forKey: .installationDays) ?? installationDays
        requestsPerSecondMax =
            try container.decodeIfPresent(Int.self, forKey: .requestsPerSecondMax) ?? requestsPerSecondMax
        defaultLanguage = try container.decodeIfPresent(String.self, forKey: .defaultLanguage)
    }
}
