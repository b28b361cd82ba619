internal import PushService
internal import PushStore

/// Why the console does not do what was asked; shown on a page.
struct ConsoleRefusal: Error, Sendable {
    /// The HTTP status.
    var status: Int
    /// What to tell.
    var message: Message

    enum Message: Sendable {
        /// A text of the console.
        case phrase(Phrase)
        /// A text of the service, in English; shown in the visitor's language where there is a phrase for it.
        case text(String)
    }

    init(_ status: Int, _ phrase: Phrase) {
        self.status = status
        message = .phrase(phrase)
    }

    init(_ status: Int, text: String) {
        self.status = status
        message = .text(text)
    }

    /// What an error of the store means to whoever looks at a page.
    init(_ error: StoreError) {
        switch error.code {
        case .invalid, .tooCostly: self.init(400, text: error.message)
        case .notFound: self.init(404, text: error.message)
        case .conflict, .conditionNotMet: self.init(409, text: error.message)
        case .overloaded, .unavailable, .uncertain: self.init(503, .busy)
        case .full: self.init(507, .diskFull)
        // What a database says may name files and tables; the log has it.
        default: self.init(500, .databaseFailed)
        }
    }

    init(any error: any Error) {
        switch error {
        case let error as ConsoleRefusal: self = error
        case let error as StoreError: self.init(error)
        case let error as APIError: self.init(error.status, text: error.message)
        case let error as ChangeError: self.init(400, text: error.message)
        case let error as CredentialError: self.init(400, text: error.message)
        default: self.init(500, .databaseFailed)
        }
    }

    /// What to tell, in the visitor's language where there is a text of the console.
    func text(_ visit: Visit) -> String {
        switch message {
        case .phrase(let phrase): visit(phrase)
        case .text(let text): ErrorText.text(text, in: visit.language)
        }
    }

    /// Nothing is at this address.
    static let nothing = ConsoleRefusal(404, .nothingHere)
}
