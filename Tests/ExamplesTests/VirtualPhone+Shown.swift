import VirtualPhone

extension VirtualPhone {
    /// When notifications appeared, by the phone's clock, as `03-01 08:00`.
    var shownTimes: [String] {
        journal(.banner, .lockScreen, .listed).map {
            String($0.time.dropFirst(5).prefix(11)).replacing("T", with: " ")
        }
    }

    /// What appeared, as `title · body`.
    var shownTexts: [String] { journal(.banner, .lockScreen, .listed).map(\.text) }
}
