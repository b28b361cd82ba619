/// What a notification plays.
///
/// Sendable: the record never changes.
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: SoundRecord

    package init(record: SoundRecord) {
        self.record = record
        super.init()
    }

    /// Makes a sound of a file in the app: at most 30 s, else the default is played.
    ///
    /// It is looked for in the container's `Library/Sounds`, in that of its groups, then in the bundle.
    public convenience init(named name: UNNotificationSoundName) {
        self.init(record: SoundRecord(.notification, name: name.rawValue))
    }

    /// The system's sound.
    open class var `default`: UNNotificationSound {
        UNNotificationSound(record: SoundRecord(.notification))
    }

    /// The system's sound for a call.
    open class var defaultRingtone: UNNotificationSound {
        UNNotificationSound(record: SoundRecord(.ringtone))
    }

    /// The system's sound for critical alerts.
    open class var defaultCritical: UNNotificationSound {
        UNNotificationSound(record: SoundRecord(.critical))
    }

    /// A sound for a call, of a file in the app.
    open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(record: SoundRecord(.ringtone, name: name.rawValue))
    }

    /// The system's sound for critical alerts, 0 to 1 loud.
    open class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
        UNNotificationSound(record: SoundRecord(.critical, volume: min(max(volume, 0), 1)))
    }

    /// A sound for critical alerts, of a file in the app.
    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(record: SoundRecord(.critical, name: name.rawValue))
    }

    /// A sound for critical alerts, of a file in the app, 0 to 1 loud.
    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName, withAudioVolume volume: Float
    ) -> UNNotificationSound {
        UNNotificationSound(
            record: SoundRecord(.critical, name: name.rawValue, volume: min(max(volume, 0), 1)))
    }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSound)?.record == record
    }

    /// A number that equal objects share.
    open override var hash: Int { record.hashValue }

    /// The object itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Archiving is secure.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the object into an archive.
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }

    /// Reads an object of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        guard let record = RecordCoding.decode(SoundRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
