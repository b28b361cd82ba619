package import APNs

/// A notification a device has received.
package struct Delivery: Hashable, Sendable {
    /// Counts the device's deliveries from 1 without gaps; the event id on the device's stream.
    package var sequence: Int64
    /// What was delivered.
    package var notification: DeliverableNotification
    /// The channel it came from, for a broadcast.
    package var channel: ChannelID?
    /// When the device received it, in milliseconds since 1970.
    package var deliveredAtMilliseconds: Int64

    /// What iOS uses as the request's identifier: a later delivery with the same one replaces this one on screen.
    package var requestIdentifier: String {
        notification.collapseID?.rawValue ?? notification.id.uuidString
    }
}
