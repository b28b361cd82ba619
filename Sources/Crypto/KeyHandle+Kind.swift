import COpenSSL

extension KeyHandle {
    /// Whether this is an elliptic curve key on P-256.
    var isP256: Bool { isEllipticCurve && curveName == "prime256v1" }

    /// The kind of key for messages: `an RSA key`, `an elliptic curve key on P-384`.
    var kind: String {
        if isEllipticCurve {
            let names = [
                "prime256v1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521", "secp224r1": "P-224",
            ]
            guard let curveName else { return "an elliptic curve key on an unnamed curve" }
            return "an elliptic curve key on \(names[curveName] ?? curveName)"
        }
        guard let name = EVP_PKEY_get0_type_name(pointer) else { return "a key of an unknown kind" }
        let text = String(cString: name)
        return text.hasPrefix("RSA") ? "an RSA key" : "a key of the kind \(text)"
    }

    /// Whether the private half fits the public one.
    var isConsistent: Bool {
        guard let context = EVP_PKEY_CTX_new(pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return EVP_PKEY_check(context) == 1
    }

    private var isEllipticCurve: Bool { EVP_PKEY_is_a(pointer, "EC") == 1 }

    private var curveName: String? {
        var name = [CChar](repeating: 0, count: 80)
        var count = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else {
            OpenSSLErrorQueue.clear()
            return nil
        }
        return String(decoding: name[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
