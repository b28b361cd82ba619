/// How many of everything a delivery service has; a simulation has less of each, so that little work meets them all.
package struct DeliveryLimits: Sendable {
    /// How many plan at once: one that walks a large table for a few devices holds up nobody.
    package var plannerCount = 2
    /// How many senders there are.
    package var laneCount = LaneGovernor.laneCount
    /// A batch of at most so many devices takes no full batch's place.
    package var lightDeviceCountMax = LaneGovernor.lightDeviceCountMax
    /// How many notifications are handed to a client together.
    package var chunkCount = BatchSender.chunkCount

    /// The limits of a service.
    package init() {}
}
