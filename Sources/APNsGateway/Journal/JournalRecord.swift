package import APNs

/// One request as the journal keeps it: everything but the payload.
///
/// The journal is the one place that shows whole device tokens: a simulator's purpose is to tell what
/// became of each of them.
package struct JournalRecord: Hashable, Sendable {
    /// Counts all requests, from 1; set by the journal.
    package internal(set) var sequence: UInt64 = 0
    /// When the request was answered, in milliseconds since 1970.
    package var timeMilliseconds: Int64
    /// The connection's number.
    package var connection: UInt64
    /// The service the request came to.
    package var environment: Environment
    /// What was asked for.
    package var operation: Operation
    /// The apns-id or apns-request-id of the answer.
    package var id: ResponseID
    /// The device token, when there was one.
    package var token: DeviceToken?
    /// The topic, or for channels the bundle identifier, when the request reached that check.
    package var topic: Topic?
    /// The push type, as sent.
    package var pushType: PushType?
    /// The priority, as sent.
    package var priority: Priority?
    /// How many bytes the body had.
    package var payloadByteCount: Int32
    /// The HTTP status; 0 when no answer was given.
    package var status: Int16
    /// The reason of a refusal.
    package var reason: Reason?
    /// What the gateway did with the request.
    package var decision: JournalDecision

    /// What a request asked for.
    package enum Operation: UInt8, CaseIterable, Sendable {
        case push
        case publish
        case createChannel
        case readChannel
        case deleteChannel
        case listChannels
        case unknown
    }

    /// Makes the record of a push; the decision is the verdict's own unless the registry knows better.
    package init(
        _ verdict: borrowing RequestVerdict, decision: JournalDecision? = nil, environment: Environment,
        connection: UInt64, timeMilliseconds: Int64
    ) {
        self.init(
            operation: .push, id: verdict.responseID, environment: environment, connection: connection,
            timeMilliseconds: timeMilliseconds, decision: decision ?? verdict.decision)
        token = verdict.token
        topic = verdict.topic
        pushType = verdict.pushType
        priority = verdict.priority
        payloadByteCount = Int32(clamping: verdict.payloadByteCount)
        status = Int16(clamping: verdict.status)
        reason = verdict.rejection?.reason
    }

    /// Makes the record of a request about broadcast channels.
    package init(
        _ verdict: ChannelVerdict, status: Int, environment: Environment, connection: UInt64,
        timeMilliseconds: Int64
    ) {
        self.init(
            operation: verdict.operation, id: verdict.responseID, environment: environment,
            connection: connection, timeMilliseconds: timeMilliseconds,
            decision: verdict.rejection == nil ? .done : verdict.isFault ? .faultReason : .refused,
            status: status, reason: verdict.rejection?.reason)
        topic = verdict.bundleID
        payloadByteCount = Int32(clamping: verdict.payloadByteCount)
    }

    /// Makes a record with the least every request has.
    package init(
        operation: Operation, id: ResponseID, environment: Environment, connection: UInt64,
        timeMilliseconds: Int64, decision: JournalDecision, status: Int = 0, reason: Reason? = nil
    ) {
        self.operation = operation
        self.id = id
        self.environment = environment
        self.connection = connection
        self.timeMilliseconds = timeMilliseconds
        self.decision = decision
        self.status = Int16(clamping: status)
        self.reason = reason
        payloadByteCount = 0
    }
}
