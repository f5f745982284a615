/// The raw bytes that follow a call, until the service has received all of them.
struct IncomingBytes {
    /// The number of bytes that have not been received.
    var rest: Int
    /// Takes the next bytes.
    let take: ([UInt8]) throws(BridgeError) -> Void
    /// Replies to the call, after the last byte.
    let end: () throws(BridgeError) -> Void
}
