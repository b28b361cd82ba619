internal import APNs
internal import PushStore
internal import Recurrence
internal import Transport

extension WebhookDelivery {
    /// The body: the event with what belongs to every event around it.
    ///
    /// The event's own fields are put in as they are stored, so that every attempt has the same bytes.
    var body: [UInt8] {
        var body = Array(#"{"id":"#.utf8)
        JSONText.append(eventID, to: &body)
        body += Array(#","event":"#.utf8)
        JSONText.append(kind, to: &body)
        body += Array(#","app":"#.utf8)
        JSONText.append(appID, to: &body)
        body += Array(#","createdAt":"#.utf8)
        JSONText.append(createdAt.iso8601, to: &body)
        body += Array(#","data":"#.utf8)
        body += Array(data.utf8)
        body.append(0x7d)
        return body
    }

    /// The request of an attempt.
    func request(at now: Instant, timeout: Duration) -> HTTPClientRequest {
        let body = body
        let headers = [
            ("Content-Type", "application/json"), ("X-Belfry-Event", kind), ("X-Belfry-Delivery", eventID),
            (WebhookSignature.headerName, WebhookSignature.value(body: body, secret: secret, at: now)),
        ].map { HTTPHeaders.Field(name: $0.0, value: $0.1) }
        return HTTPClientRequest(
            method: "POST", url: url, headers: headers, body: body, timeout: timeout,
            responseByteCountMax: WebhookSender.responseByteCountMax)
    }
}
