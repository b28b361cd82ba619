import APNs
import APNsGateway

extension RegistryContents {
    /// Does in memory what a store does on disk.
    mutating func apply(_ changes: RegistryChanges) {
        let gone = Set(changes.deletedDevices)
        devices.removeAll { gone.contains($0.id) }
        apps.removeAll { gone.contains($0.device) }
        tokens.removeAll { gone.contains($0.device) }
        deliveries.removeAll { gone.contains($0.device) }
        let goneTokens = Set(changes.deletedTokens)
        tokens.removeAll { goneTokens.contains($0.token) }
        for row in changes.updated.devices {
            devices.removeAll { $0.id == row.id }
            devices.append(row)
        }
        for row in changes.updated.apps {
            if let index = apps.firstIndex(where: {
                $0.device == row.device && $0.bundleID == row.bundleID && $0.environment == row.environment
            }) {
                apps[index] = row
            } else {
                apps.append(row)
            }
        }
        for row in changes.updated.tokens {
            if let index = tokens.firstIndex(where: { $0.token == row.token }) {
                tokens[index] = row
            } else {
                tokens.append(row)
            }
        }
        deliveries += changes.updated.deliveries
        for (device, sequence) in changes.firstSequences {
            deliveries.removeAll { $0.device == device && $0.delivery.sequence < sequence }
        }
    }

    /// The same rows after a restart, which breaks every link.
    func afterRestart() -> RegistryContents {
        var contents = self
        for index in contents.devices.indices where contents.devices[index].isLinked {
            contents.devices[index].isLinked = false
            contents.devices[index].isOnline = false
        }
        return contents
    }

    /// The same rows in an order that does not depend on how they came about.
    func sorted() -> RegistryContents {
        var sorted = self
        sorted.devices.sort { $0.id.rawValue < $1.id.rawValue }
        sorted.apps.sort {
            ($0.device.rawValue, $0.bundleID, $0.environment.rawValue)
                < ($1.device.rawValue, $1.bundleID, $1.environment.rawValue)
        }
        sorted.tokens.sort { $0.token.hexString < $1.token.hexString }
        sorted.deliveries.sort {
            ($0.device.rawValue, $0.delivery.sequence) < ($1.device.rawValue, $1.delivery.sequence)
        }
        return sorted
    }
}
