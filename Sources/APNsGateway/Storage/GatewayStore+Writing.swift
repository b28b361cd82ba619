internal import APNs
internal import SQLite

extension StoreBatch {
    /// Writes the batch; all of it or nothing.
    func write(to database: Database) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            if isComplete { try clear(database) }
            try remove(from: database)
            for row in devices.updated.devices { try write(row, database) }
            for row in devices.updated.apps { try write(row, database) }
            for row in devices.updated.tokens { try write(row, database) }
            for row in devices.updated.deliveries { try write(row, database) }
            for channel in channels.updated { try write(channel, database) }
            if let disabled = channels.disabledApps { try write(disabled, database) }
        }
    }

    private func clear(_ database: Database) throws(SQLiteError) {
        for table in ["delivery", "waiting", "token", "app", "device", "subscription", "channel"] {
            try database.execute("DELETE FROM \(table)")
        }
    }

    private func remove(from database: Database) throws(SQLiteError) {
        for device in devices.deletedDevices {
            try database.execute("DELETE FROM device WHERE id = ?", [device.value])
        }
        for token in devices.deletedTokens {
            try database.execute("DELETE FROM token WHERE token = ?", [.blob(token.bytes)])
        }
        for (device, sequence) in devices.firstSequences {
            try database.execute(
                "DELETE FROM delivery WHERE device = ? AND sequence < ?", [device.value, .integer(sequence)])
        }
        for channel in channels.deleted {
            try database.execute("DELETE FROM channel WHERE id = ?", [.text(channel.rawValue)])
        }
    }

    private func write(_ row: RegistryContents.DeviceRow, _ database: Database) throws(SQLiteError) {
        try database.execute(
            """
            INSERT INTO device
                (id, name, is_online, is_power_saving, is_linked, created_at, next_sequence, acknowledged_sequence)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, is_online = excluded.is_online,
                is_power_saving = excluded.is_power_saving, is_linked = excluded.is_linked, next_sequence = excluded.next_sequence,
                acknowledged_sequence = excluded.acknowledged_sequence
            """,
            [
                row.id.value, .text(row.name), Value(row.isOnline), Value(row.isPowerSaving),
                Value(row.isLinked), .integer(row.createdAtMilliseconds), .integer(row.nextSequence),
                .integer(row.acknowledgedSequence),
            ])
    }

    private func write(_ row: RegistryContents.AppRow, _ database: Database) throws(SQLiteError) {
        let key: [Value] = [row.device.value, .text(row.bundleID), .text(row.environment.rawValue)]
        try database.execute(
            """
            INSERT INTO app (device, bundle_id, environment, is_installed, is_enabled) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (device, bundle_id, environment)
            DO UPDATE SET is_installed = excluded.is_installed, is_enabled = excluded.is_enabled
            """,
            key + [Value(row.isInstalled), Value(row.isEnabled)])
        for (place, waiting) in [("stored", row.stored), ("held", row.held)] {
            guard let waiting else {
                try database.execute(
                    "DELETE FROM waiting WHERE device = ? AND bundle_id = ? AND environment = ? AND place = ?",
                    key + [.text(place)])
                continue
            }
            try database.execute(
                StoreBatch.insertWaiting,
                key + [
                    .text(place), .integer(waiting.untilMilliseconds), Value(waiting.releaseMilliseconds),
                    Value(waiting.isSingleAttempt),
                ] + NotificationColumns.values(waiting.notification))
        }
    }

    private func write(_ row: RegistryContents.TokenRow, _ database: Database) throws(SQLiteError) {
        let (state, since) = row.state.columns
        try database.execute(
            """
            INSERT INTO token (token, device, topic, environment, family, instance, state, state_since,
                is_returnable, expires_at, registered_at, probe_until)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (token) DO UPDATE SET state = excluded.state, state_since = excluded.state_since,
                is_returnable = excluded.is_returnable, expires_at = excluded.expires_at,
                registered_at = excluded.registered_at, probe_until = excluded.probe_until
            """,
            [
                .blob(row.token.bytes), row.device.value, .text(row.topic.rawValue),
                .text(row.environment.rawValue), .text(row.family.rawValue), .text(row.instance),
                .text(state), Value(since), Value(row.isReturnable), Value(row.expiresAtMilliseconds),
                .integer(row.registeredAtMilliseconds), .integer(row.probeUntilMilliseconds),
            ])
    }

    private func write(_ row: RegistryContents.DeliveryRow, _ database: Database) throws(SQLiteError) {
        let delivery = row.delivery
        try database.execute(
            StoreBatch.insertDelivery,
            [
                row.device.value, .integer(delivery.sequence), Value(delivery.channel?.rawValue),
                .integer(delivery.deliveredAtMilliseconds),
            ] + NotificationColumns.values(delivery.notification))
    }

    private func write(_ channel: Channel, _ database: Database) throws(SQLiteError) {
        let stored = channel.storedMessage
        try database.execute(
            """
            INSERT INTO channel (id, bundle_id, environment, storage_policy, created_at, ordinal, message_count,
                message_number, message_until, message_id, message_priority, message_expiration, message_payload,
                message_received_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET message_count = excluded.message_count,
                message_number = excluded.message_number, message_until = excluded.message_until,
                message_id = excluded.message_id, message_priority = excluded.message_priority,
                message_expiration = excluded.message_expiration, message_payload = excluded.message_payload,
                message_received_at = excluded.message_received_at
            """,
            [
                .text(channel.id.rawValue), .text(channel.bundleID), .text(channel.environment.rawValue),
                Value(channel.storagePolicy.rawValue), .integer(channel.createdAtMilliseconds),
                .integer(channel.ordinal),
                .integer(channel.messageCount), Value(stored?.number), Value(stored?.untilMilliseconds),
                Value(stored.map { NotificationColumns.bytes($0.message.id) }),
                Value(stored?.message.priority.rawValue),
                stored.map { NotificationColumns.expiration($0.message.expiration) } ?? .null,
                Value(stored?.message.payload), Value(stored?.message.receivedAtMilliseconds),
            ])
        try database.execute("DELETE FROM subscription WHERE channel = ?", [.text(channel.id.rawValue)])
        for (token, seen) in channel.subscribers {
            try database.execute(
                "INSERT INTO subscription (channel, token, seen) VALUES (?, ?, ?)",
                [.text(channel.id.rawValue), .blob(token.bytes), .integer(seen)])
        }
    }

    private func write(_ disabled: Set<ChannelRegistry.AppKey>, _ database: Database) throws(SQLiteError) {
        try database.execute("DELETE FROM broadcast_disabled")
        for app in disabled {
            try database.execute(
                "INSERT INTO broadcast_disabled (bundle_id, environment) VALUES (?, ?)",
                [.text(app.bundleID), .text(app.environment.rawValue)])
        }
    }

    private static let insertWaiting = """
        INSERT OR REPLACE INTO waiting (device, bundle_id, environment, place, until, release,
            is_single_attempt, \(NotificationColumns.names))
        VALUES (\(placeholders(7 + NotificationColumns.count)))
        """

    private static let insertDelivery = """
        INSERT OR REPLACE INTO delivery (device, sequence, channel, delivered_at, \(NotificationColumns.names))
        VALUES (\(placeholders(4 + NotificationColumns.count)))
        """

    private static func placeholders(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }
}

extension TokenState {
    fileprivate var columns: (name: String, since: Int64?) {
        switch self {
        case .live: ("live", nil)
        case .orphaned(let since): ("orphaned", since)
        case .dead(let since): ("dead", since)
        }
    }
}
