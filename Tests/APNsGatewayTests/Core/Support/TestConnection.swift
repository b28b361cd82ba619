import APNs
import APNsGateway

/// A connection to a gateway without sockets: builds a correct push and lets a test spoil it.
struct TestConnection {
    static let token = String(repeating: "0a1B", count: 16)
    static let topic = "com.example.app"

    var provider = Provider()
    var validator: RequestValidator
    var machine: ConnectionMachine
    var directory = ScriptedDirectory([TestConnection.token.lowercased(): .accepted(device: 1)])
    var nowMilliseconds = Provider.nowSeconds * 1000
    let policy: GatewayPolicy

    init(
        policy: GatewayPolicy = GatewayPolicy(), environment: APNs.Environment = .production,
        credential: ConnectionMachine.Credential = .providerToken, keys: [ProviderKey]? = nil,
        isOpen: Bool = false
    ) {
        self.policy = policy
        let verifier = ProviderTokenVerifier(
            keys: keys ?? [Provider().key()], isOpen: isOpen, policy: policy.providerTokens)
        validator = RequestValidator(
            environment: environment, policy: policy.requests, verifier: verifier)
        machine = ConnectionMachine(
            credential: credential, environment: environment, policy: policy, seed: 1,
            nowMilliseconds: Provider.nowSeconds * 1000)
    }

    /// The fields of a correct push, in the order a client sends them.
    var fields: [(String, String)] {
        [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/" + TestConnection.token),
            ("host", "localhost"), ("authorization", provider.authorization()),
            ("apns-topic", TestConnection.topic), ("apns-push-type", "alert"),
        ]
    }

    /// Sends a correct push with some fields replaced, added or (nil) left out.
    mutating func push(
        _ changes: KeyValuePairs<String, String?> = [:], body: String = #"{"aps":{"alert":"Hi"}}"#,
        bodyByteCount: Int? = nil, fault: Rejection? = nil
    ) -> RequestVerdict {
        var fields = fields
        for (name, value) in changes {
            let index = fields.firstIndex { $0.0 == name }
            switch (index, value) {
            case (let index?, let value?): fields[index].1 = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append((name, value))
            case (nil, nil): break
            }
        }
        return send(fields, body: body, bodyByteCount: bodyByteCount, fault: fault)
    }

    /// Sends exactly these fields.
    mutating func send(
        _ fields: [(String, String)], body: String, bodyByteCount: Int? = nil, fault: Rejection? = nil
    ) -> RequestVerdict {
        let list = FieldList(fields)
        let head = RequestHead(list)
        return withExtendedLifetime(list) {
            withBytes(body) { body in
                validator.verdict(
                    on: head, route: Route(path: head.path), body: body,
                    bodyByteCount: bodyByteCount ?? body.count, connection: &machine,
                    directory: directory, fault: fault, nowMilliseconds: nowMilliseconds)
            }
        }
    }

    /// Sends a push and tells the connection of its answer.
    mutating func complete(
        _ changes: KeyValuePairs<String, String?> = [:]
    ) -> (
        verdict: RequestVerdict, actions: ConnectionActions
    ) {
        let verdict = push(changes)
        return (verdict, machine.completed(verdict.rejection, nowMilliseconds: nowMilliseconds))
    }

    mutating func advance(seconds: Int64) { nowMilliseconds += seconds * 1000 }
}
