internal import Synchronization
internal import Transport

/// One client that listens to a device: it gets each delivery once, in order.
///
/// The stream draws deliveries from the registry by their numbers instead of being handed them, so that no order of
/// threads can mix them up and a client that is slow costs a queue of bounded length only.
///
/// A *link* is the connection of a virtual phone: the device is online as long as it is open, and gets the next
/// notification when it has acknowledged the last. Other streams only watch.
final class DeviceStream: Sendable {
    let device: DeviceID
    let isLink: Bool
    let events: EventStream
    private let hub: DeviceHub
    private let sentSequence: Mutex<Int64>

    private static let batchCountMax = 32

    init(device: DeviceID, isLink: Bool, after sequence: Int64, events: EventStream, hub: DeviceHub) {
        self.device = device
        self.isLink = isLink
        self.events = events
        self.hub = hub
        sentSequence = Mutex(sequence)
    }

    /// Sends what the device has received since the last call; ends the stream when the client is too slow.
    func pump() {
        // Closing runs the hub's code, so it happens outside the lock.
        if !sentSequence.withLock({ sendNew(after: &$0) }) { events.close() }
    }

    func close() { events.close() }

    private func sendNew(after sequence: inout Int64) -> Bool {
        while true {
            let after = sequence
            let (first, batch) = hub.read { registries in
                registries.devices.deliveries(device, after: after, countMax: DeviceStream.batchCountMax)
            }
            guard let last = batch.last else { return true }
            if first > after + 1, !events.send(ServerSentEvent(gapFrom: after + 1, to: first - 1)) {
                return false
            }
            for delivery in batch where !events.send(ServerSentEvent(delivery)) { return false }
            sequence = last.sequence
        }
    }
}

extension ServerSentEvent {
    /// A delivery; its number is the event's id.
    init(_ delivery: Delivery) {
        self.init(
            id: String(delivery.sequence), name: "notification", data: delivery.encodedJSON)
    }

    /// Deliveries that are no longer kept.
    init(gapFrom first: Int64, to last: Int64) {
        self.init(name: "gap", data: "{\"from\":\(first),\"to\":\(last)}")
    }
}
