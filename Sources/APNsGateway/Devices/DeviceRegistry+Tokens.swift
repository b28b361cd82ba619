internal import APNs

extension DeviceRegistry {
    /// The sizes of tokens the registry issues: fewer bytes would not stay unique.
    static let tokenByteCounts = 8...DeviceToken.byteCountMax

    /// The first bytes of test tokens, which are never issued.
    private static let testTokenPrefix: [UInt8] = [0xfa, 0x11]

    /// Issues a random token that nobody has.
    mutating func issue(
        _ request: RegistrationRequest, device: Int, app: Int, at now: Int64,
        using generator: inout some RandomNumberGenerator
    ) throws(GatewayError) -> DeviceToken {
        try makeRoom(device)
        let token = try newToken(request.tokenByteCount ?? policy.tokenByteCount, using: &generator)
        let registration = Registration(
            token: token, topic: request.topic, environment: request.environment, family: request.family,
            instance: request.instance, device: Int32(device), app: Int32(app),
            expiresAtMilliseconds: request.expiresAtMilliseconds ?? .max, registeredAtMilliseconds: now)
        markDirty(registration: insert(registration))
        return token
    }

    private func newToken(
        _ byteCount: Int, using generator: inout some RandomNumberGenerator
    ) throws(GatewayError) -> DeviceToken {
        for _ in 0..<100 {
            let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            guard !bytes.starts(with: DeviceRegistry.testTokenPrefix) else { continue }
            do throws(APNsError) {
                let token = try DeviceToken(bytes: bytes)
                if tokens[token] == nil { return token }
            } catch {
                throw GatewayError(code: .invalidField, message: error.message, field: "token_bytes")
            }
        }
        throw GatewayError(
            code: .limitReached, message: "found no unused token of \(byteCount) bytes in 100 attempts")
    }

    /// Forgets the oldest dead token of a device that has as many tokens as it may.
    private mutating func makeRoom(_ device: Int) throws(GatewayError) {
        let count = devices[device].apps.reduce(0) { $0 + $1.registrations.count }
        guard count >= policy.tokensPerDeviceMax else { return }
        for app in devices[device].apps.indices {
            guard
                let index = devices[device].apps[app].registrations.firstIndex(where: {
                    !registrations[Int($0)].isLive
                })
            else { continue }
            vacate(Int(devices[device].apps[app].registrations.remove(at: index)))
            return
        }
        throw GatewayError(
            code: .limitReached, message: "a device has at most \(policy.tokensPerDeviceMax) tokens")
    }

    /// Puts a registration into a slot, its app's list and the index.
    @discardableResult
    mutating func insert(_ registration: Registration) -> Int {
        var registration = registration
        let slot: Int
        if let vacant = vacantRegistrations.popLast() {
            slot = Int(vacant)
            registration.generation = registrations[slot].generation &+ 1
            registrations[slot] = registration
        } else {
            slot = registrations.count
            registrations.append(registration)
        }
        tokens[registration.token] = Int32(slot)
        devices[Int(registration.device)].apps[Int(registration.app)].registrations.append(Int32(slot))
        return slot
    }

    /// Puts a device into a slot and the index.
    @discardableResult
    mutating func insert(_ device: Device) -> Int {
        let slot: Int
        if let vacant = vacantDevices.popLast() {
            slot = Int(vacant)
            devices[slot] = device
        } else {
            slot = devices.count
            devices.append(device)
        }
        deviceSlots[device.id] = Int32(slot)
        markDirty(slot, .device)
        return slot
    }

    /// Frees a registration's slot; the caller has removed it from its app's list.
    mutating func vacate(_ slot: Int) {
        tokens[registrations[slot].token] = nil
        if collectsChanges { deletedTokens.append(registrations[slot].token) }
        registrations[slot].isVacant = true
        registrations[slot].isDirty = false
        registrations[slot].instance = ""
        vacantRegistrations.append(Int32(slot))
    }
}
