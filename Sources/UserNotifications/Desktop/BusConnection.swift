internal import CSystemd

/// The session bus, as far as notifications need it; for one thread at a time.
final class BusConnection {
    private let bus: OpaquePointer
    /// Takes signals while `process` runs.
    var receive: ((BusSignal) -> Void)?

    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private static let launcher = "com.canonical.Unity.LauncherEntry"
    /// How long a call may take.
    private static let timeoutMicroseconds: UInt64 = 5_000_000

    /// Connects to a bus and listens to the service's signals.
    ///
    /// - Parameter address: nil for the bus of the user's session.
    init(address: String?) throws(BusError) {
        var opened: OpaquePointer?
        if let address {
            try BusError.check(sd_bus_new(&opened), "sd_bus_new")
            try BusError.check(sd_bus_set_address(opened, address), "sd_bus_set_address")
            try BusError.check(sd_bus_set_bus_client(opened, 1), "sd_bus_set_bus_client")
            try BusError.check(sd_bus_start(opened), "sd_bus_start")
        } else {
            try BusError.check(sd_bus_open_user(&opened), "sd_bus_open_user")
        }
        guard let opened else { throw BusError(call: "sd_bus_open_user", number: 0) }
        bus = opened
        try listen()
    }

    deinit {
        receive = nil
        sd_bus_flush_close_unref(bus)
    }

    /// Whether the bus is still there, as far as is known.
    var isOpen: Bool { sd_bus_is_open(bus) > 0 }

    /// The descriptor to wait on, and for what.
    var descriptor: Int32 { sd_bus_get_fd(bus) }
    var events: Int16 { Int16(truncatingIfNeeded: max(0, sd_bus_get_events(bus))) }

    /// Handles one message that has come.
    ///
    /// - Returns: whether there was one.
    func process() throws(BusError) -> Bool {
        try BusError.check(sd_bus_process(bus, nil), "sd_bus_process") > 0
    }

    // MARK: Calls

    func capabilities() throws(BusError) -> Set<String> {
        let reply = try call("GetCapabilities") { _ throws(BusError) in }
        defer { sd_bus_message_unref(reply) }
        try BusError.check(sd_bus_message_enter_container(reply, Self.array, "s"), "GetCapabilities")
        var found: Set<String> = []
        while let text = Self.text(reply) { found.insert(text) }
        return found
    }

    /// - Parameter number: of the notification whose place it takes; 0 for none.
    /// - Returns: its own number, and the bus name of the service that gave it.
    func notify(
        _ notification: DesktopNotification, replacing number: UInt32
    ) throws(BusError) -> (number: UInt32, owner: String?) {
        let reply = try call("Notify") { message throws(BusError) in
            try Self.append(notification.appName, to: message)
            try Self.append(number, Self.unsigned, to: message)
            for text in ["", notification.summary, notification.body] { try Self.append(text, to: message) }
            try Self.container(Self.array, "s", in: message) { () throws(BusError) in
                for action in notification.actions {
                    try Self.append(action.key, to: message)
                    try Self.append(action.label, to: message)
                }
            }
            try Self.container(Self.array, "{sv}", in: message) { () throws(BusError) in
                for (key, hint) in notification.hints { try Self.append(key, hint, to: message) }
            }
            try Self.append(notification.expireTimeoutMilliseconds, Self.signed, to: message)
        }
        defer { sd_bus_message_unref(reply) }
        guard let shown = Self.number(reply) else { throw BusError(call: "Notify", number: 0) }
        return (shown, sd_bus_message_get_sender(reply).map { String(cString: $0) })
    }

    /// Sends the signal that docks and task bars show a number at an app's icon for.
    ///
    /// Source: Ubuntu wiki, "Unity/LauncherAPI"; KDE Plasma and the docks of GNOME listen to it as well.
    func launcher(count: Int, desktopEntry: String) throws(BusError) {
        let uri = "application://\(desktopEntry).desktop"
        // One object for each app; its name is free, and by custom the hash of the address.
        let hash = uri.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }
        var made: OpaquePointer?
        try BusError.check(
            sd_bus_message_new_signal(
                bus, &made, "/com/canonical/unity/launcherentry/\(hash)", Self.launcher, "Update"), "Update")
        guard let message = made else { throw BusError(call: "Update", number: 0) }
        defer { sd_bus_message_unref(message) }
        try Self.append(uri, to: message)
        try Self.container(Self.array, "{sv}", in: message) { () throws(BusError) in
            try Self.append("count", .integer(Int64(count)), to: message)
            try Self.append("count-visible", .boolean(count > 0), to: message)
        }
        try BusError.check(sd_bus_send(bus, message, nil), "Update")
        try BusError.check(sd_bus_flush(bus), "Update")
    }

    func close(_ number: UInt32) throws(BusError) {
        let reply = try call("CloseNotification") { message throws(BusError) in
            try Self.append(number, Self.unsigned, to: message)
        }
        sd_bus_message_unref(reply)
    }

    private func call(
        _ method: String, _ fill: (OpaquePointer) throws(BusError) -> Void
    ) throws(BusError) -> OpaquePointer {
        var made: OpaquePointer?
        try BusError.check(
            sd_bus_message_new_method_call(bus, &made, Self.service, Self.path, Self.service, method), method)
        guard let message = made else { throw BusError(call: method, number: 0) }
        defer { sd_bus_message_unref(message) }
        try fill(message)
        var reply: OpaquePointer?
        try BusError.check(sd_bus_call(bus, message, Self.timeoutMicroseconds, nil, &reply), method)
        guard let reply else { throw BusError(call: method, number: 0) }
        return reply
    }

    // MARK: Signals

    private func listen() throws(BusError) {
        // Unretained: the matches end with the bus, which this object closes.
        let owner = Unmanaged.passUnretained(self).toOpaque()
        let handler: sd_bus_message_handler_t = { message, owner, _ in
            guard let message, let owner else { return 0 }
            let connection = Unmanaged<BusConnection>.fromOpaque(owner).takeUnretainedValue()
            if let signal = BusConnection.signal(message) { connection.receive?(signal) }
            return 0
        }
        try BusError.check(
            // The bus lets only the service's own signals through: another program cannot press a button.
            sd_bus_match_signal(bus, nil, Self.service, Self.path, Self.service, nil, handler, owner), "match"
        )
        let restarts =
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
            + "member='NameOwnerChanged',arg0='\(Self.service)'"
        try BusError.check(sd_bus_add_match(bus, nil, restarts, handler, owner), "match")
    }

    private static func signal(_ message: OpaquePointer) -> BusSignal? {
        guard let member = sd_bus_message_get_member(message).map({ String(cString: $0) }) else { return nil }
        if member == "NameOwnerChanged" {
            guard text(message) != nil, text(message) != nil, let owner = text(message) else { return nil }
            return .owner(owner.isEmpty ? nil : owner)
        }
        guard let id = number(message) else { return nil }
        switch member {
        case "ActionInvoked": return text(message).map { .action(number: id, key: $0) }
        case "NotificationReplied": return text(message).map { .reply(number: id, text: $0) }
        case "NotificationClosed": return number(message).map { .closed(number: id, reason: $0) }
        default: return nil
        }
    }

    // MARK: Messages

    private static let array = CChar(UInt8(ascii: "a"))
    private static let unsigned = CChar(UInt8(ascii: "u"))
    private static let signed = CChar(UInt8(ascii: "i"))
    private static let long = CChar(UInt8(ascii: "x"))
    private static let byte = CChar(UInt8(ascii: "y"))
    private static let boolean = CChar(UInt8(ascii: "b"))
    private static let string = CChar(UInt8(ascii: "s"))
    private static let variant = CChar(UInt8(ascii: "v"))
    private static let entry = CChar(UInt8(ascii: "e"))

    private static func append(_ text: String, to message: OpaquePointer) throws(BusError) {
        // The bus has no texts with a NUL in them, and C would end them there.
        let result = text.prefix { $0 != "\0" }.withCString {
            sd_bus_message_append_basic(message, string, $0)
        }
        try BusError.check(result, "append")
    }

    private static func append<Number>(
        _ value: Number, _ type: CChar, to message: OpaquePointer
    ) throws(BusError) {
        let result = withUnsafePointer(to: value) { sd_bus_message_append_basic(message, type, $0) }
        try BusError.check(result, "append")
    }

    private static func append(
        _ key: String, _ hint: DesktopNotification.Hint, to message: OpaquePointer
    ) throws(BusError) {
        try container(entry, "sv", in: message) { () throws(BusError) in
            try append(key, to: message)
            switch hint {
            case .byte(let value):
                try container(variant, "y", in: message) { () throws(BusError) in
                    try append(value, byte, to: message)
                }
            case .boolean(let value):
                try container(variant, "b", in: message) { () throws(BusError) in
                    try append(Int32(value ? 1 : 0), boolean, to: message)
                }
            case .integer(let value):
                try container(variant, "x", in: message) { () throws(BusError) in
                    try append(value, long, to: message)
                }
            case .text(let value):
                try container(variant, "s", in: message) { () throws(BusError) in
                    try append(value, to: message)
                }
            }
        }
    }

    private static func container(
        _ type: CChar, _ contents: String, in message: OpaquePointer, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        try BusError.check(sd_bus_message_open_container(message, type, contents), "open")
        try body()
        try BusError.check(sd_bus_message_close_container(message), "close")
    }

    private static func number(_ message: OpaquePointer) -> UInt32? {
        var value: UInt32 = 0
        return sd_bus_message_read_basic(message, unsigned, &value) > 0 ? value : nil
    }

    private static func text(_ message: OpaquePointer) -> String? {
        var value: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, string, &value) > 0, let value else { return nil }
        return String(cString: value)
    }
}
