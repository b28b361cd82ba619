internal import APNs
internal import SQLite

extension GatewayStore {
    /// Reads everything that is saved.
    static func readContents(_ database: Database) throws(SQLiteError) -> RegistryContents {
        var contents = RegistryContents()
        contents.devices = try database.all(
            """
            SELECT id, name, is_online, is_power_saving, is_linked, created_at, next_sequence, acknowledged_sequence
            FROM device ORDER BY created_at, id
            """
        ) { row throws(SQLiteError) in
            RegistryContents.DeviceRow(
                id: try NotificationColumns.device(row, 0), name: try row.string(1),
                isOnline: try row.boolean(2), isPowerSaving: try row.boolean(3), isLinked: try row.boolean(4),
                createdAtMilliseconds: try row.integer(5), nextSequence: max(1, try row.integer(6)),
                acknowledgedSequence: try row.integer(7))
        }
        contents.apps = try readApps(database)
        contents.tokens = try readTokens(database)
        contents.deliveries = try database.all(
            """
            SELECT device, sequence, channel, delivered_at, \(NotificationColumns.names)
            FROM delivery ORDER BY device, sequence
            """
        ) { row throws(SQLiteError) in
            RegistryContents.DeliveryRow(
                device: try NotificationColumns.device(row, 0),
                delivery: Delivery(
                    sequence: try row.integer(1), notification: try NotificationColumns.read(row, from: 4),
                    channel: try row.isNull(2) ? nil : channelID(row, 2),
                    deliveredAtMilliseconds: try row.integer(3)))
        }
        return contents
    }

    private static func readApps(_ database: Database) throws(SQLiteError) -> [RegistryContents.AppRow] {
        struct Key: Hashable {
            var device: DeviceID
            var bundleID: String
            var environment: Environment
        }
        var waiting: [Key: [String: WaitingNotification]] = [:]
        try database.forEach(
            """
            SELECT device, bundle_id, environment, place, until, release, is_single_attempt,
                \(NotificationColumns.names)
            FROM waiting
            """
        ) { row throws(SQLiteError) in
            let key = Key(
                device: try NotificationColumns.device(row, 0), bundleID: try row.string(1),
                environment: try NotificationColumns.environment(row, 2))
            waiting[key, default: [:]][try row.string(3)] = WaitingNotification(
                notification: try NotificationColumns.read(row, from: 7),
                untilMilliseconds: try row.integer(4),
                releaseMilliseconds: try row.optionalInteger(5), isSingleAttempt: try row.boolean(6))
        }
        return try database.all(
            "SELECT device, bundle_id, environment, is_installed, is_enabled FROM app ORDER BY rowid"
        ) { row throws(SQLiteError) in
            let key = Key(
                device: try NotificationColumns.device(row, 0), bundleID: try row.string(1),
                environment: try NotificationColumns.environment(row, 2))
            return RegistryContents.AppRow(
                device: key.device, bundleID: key.bundleID, environment: key.environment,
                isInstalled: try row.boolean(3), isEnabled: try row.boolean(4),
                stored: waiting[key]?["stored"], held: waiting[key]?["held"])
        }
    }

    private static func readTokens(_ database: Database) throws(SQLiteError) -> [RegistryContents.TokenRow] {
        try database.all(
            """
            SELECT token, device, topic, environment, family, instance, state, state_since, is_returnable,
                expires_at, registered_at, probe_until
            FROM token ORDER BY rowid
            """
        ) { row throws(SQLiteError) in
            guard let family = TokenFamily(rawValue: try row.string(4)) else {
                throw NotificationColumns.unreadable("an unknown token family")
            }
            return RegistryContents.TokenRow(
                token: try NotificationColumns.token(row, 0), device: try NotificationColumns.device(row, 1),
                topic: try NotificationColumns.topic(row, 2),
                environment: try NotificationColumns.environment(row, 3), family: family,
                instance: try row.string(5), state: try tokenState(row), isReturnable: try row.boolean(8),
                expiresAtMilliseconds: try row.optionalInteger(9),
                registeredAtMilliseconds: try row.integer(10), probeUntilMilliseconds: try row.integer(11))
        }
    }

    private static func tokenState(_ row: borrowing Row) throws(SQLiteError) -> TokenState {
        switch try row.string(6) {
        case "live": return .live
        case "orphaned": return .orphaned(sinceMilliseconds: try row.integer(7))
        case "dead": return .dead(sinceMilliseconds: try row.integer(7))
        default: throw NotificationColumns.unreadable("an unknown token state")
        }
    }

    /// Reads every channel with its subscribers, oldest first.
    static func readChannels(_ database: Database) throws(SQLiteError) -> [Channel] {
        var subscribers: [String: [DeviceToken: Int64]] = [:]
        try database.forEach("SELECT channel, token, seen FROM subscription") { row throws(SQLiteError) in
            subscribers[try row.string(0), default: [:]][try NotificationColumns.token(row, 1)] =
                try row.integer(2)
        }
        return try database.all(
            """
            SELECT id, bundle_id, environment, storage_policy, created_at, message_count, message_number,
                message_until, message_id, message_priority, message_expiration, message_payload,
                message_received_at, ordinal
            FROM channel ORDER BY ordinal
            """
        ) { row throws(SQLiteError) in
            guard let policy = MessageStoragePolicy(rawValue: Int(try row.integer(3))) else {
                throw NotificationColumns.unreadable("an unknown storage policy")
            }
            let id = try channelID(row, 0)
            var channel = Channel(
                id: id, bundleID: try row.string(1),
                environment: try NotificationColumns.environment(row, 2), storagePolicy: policy,
                createdAtMilliseconds: try row.integer(4), ordinal: try row.integer(13))
            channel.messageCount = try row.integer(5)
            channel.subscribers = subscribers[id.rawValue] ?? [:]
            if !row.isNull(6) {
                channel.storedMessage = Channel.StoredMessage(
                    number: try row.integer(6),
                    message: BroadcastMessage(
                        id: try NotificationColumns.id(row, 8),
                        priority: try NotificationColumns.priority(row, 9),
                        expiration: NotificationColumns.expiration(try row.optionalInteger(10)),
                        payload: try row.bytes(11), receivedAtMilliseconds: try row.integer(12)),
                    untilMilliseconds: try row.integer(7))
            }
            return channel
        }
    }

    /// Reads the apps whose broadcasts are switched off.
    static func readDisabledApps(_ database: Database) throws(SQLiteError) -> Set<ChannelRegistry.AppKey> {
        Set(
            try database.all("SELECT bundle_id, environment FROM broadcast_disabled") {
                row throws(SQLiteError) in
                ChannelRegistry.AppKey(
                    bundleID: try row.string(0), environment: try NotificationColumns.environment(row, 1))
            })
    }

    private static func channelID(_ row: borrowing Row, _ column: Int) throws(SQLiteError) -> ChannelID {
        guard let id = try? ChannelID(try row.string(column)) else {
            throw NotificationColumns.unreadable("an invalid channel id")
        }
        return id
    }
}
