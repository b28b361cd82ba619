internal import APNs
internal import APNsClient
internal import PushStore
internal import Recurrence
internal import Transport

extension BatchSender {
    /// Publishes a push on its broadcast channel: one request, whoever follows it.
    func publish(
        _ work: inout BatchWork, _ shelf: ComposerShelf, app: App, _ permit: SendPermit
    ) async throws(StoreError) {
        let batch = work.batch
        let message: BroadcastMessage?
        do throws(ChangeError) {
            message = try shelf.broadcast()
        } catch {
            let text = "the message cannot be broadcast: \(error.message)"
            _ = try await keep(&work, next: .stop(text))
            return
        }
        guard work.pendingPositions == [0], let message else {
            work.endPending(as: .invalidContent)
            _ = try await keep(&work, next: .finish)
            return
        }
        guard !permit.isOver else {
            throw StoreError(.leaseLost, "the lease of batch \(batch.number) may have run out")
        }
        let started = clock.elapsed
        switch await answer(to: message, request: batch.push.request, app: app) {
        case .success(let result):
            let elapsed = (clock.elapsed - started) / .microseconds(1)
            work.settle(result, microseconds: UInt64(max(1, elapsed)), now: now())
        case .failure(let error):
            work.stop = error.message
        }
        let next: BatchReport.Next = work.stop.map { .stop($0) } ?? .finish
        _ = try await keep(&work, next: next)
    }

    /// What APNs answers; an error is the set-up's fault.
    private func answer(
        to message: BroadcastMessage, request: PushRequest, app: App
    ) async -> Result<Outcome.Result, DeliveryError> {
        let need = ClientDirectory.Need(
            environment: request.environment ?? request.fallbackEnvironment, teamID: request.teamID,
            deviceProfile: request.deviceProfile, topic: message.bundleID)
        let client: BroadcastClient
        do throws(DeliveryError) {
            guard let found = try clients.broadcastClient(for: need, app: app.number) else {
                return .failure(
                    DeliveryError(
                        "app '\(app.name)' has no credential for this push; add one with 'belfry key add'"))
            }
            client = found
        } catch {
            return .failure(error)
        }
        do throws(BroadcastClient.Failure) {
            try await client.publish(
                message.payload, on: message.channel, bundleID: message.bundleID, priority: message.priority,
                expiration: message.expiration)
            return .success(.accepted)
        } catch {
            switch error {
            case .rejected(let refusal):
                return .success(
                    .rejected(status: refusal.status, reason: refusal.reason, timestampMilliseconds: nil))
            case .transport(let error):
                let isSent = ![.resolution, .connect, .tls, .proxy].contains(error.code)
                return .success(.failed(isSent ? .unknown(error) : .notSent(error)))
            case .unexpectedAnswer(let text):
                return .success(.failed(.unknown(TransportError(.http2, text))))
            case .credential(let text):
                return .failure(DeliveryError("its credential cannot be used: \(text)"))
            case .invalidBundleID(let text):
                return .failure(DeliveryError("'\(text)' is no bundle id"))
            }
        }
    }
}
