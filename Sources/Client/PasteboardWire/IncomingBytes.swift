/// The raw bytes that follow a call, until the service has received all of them.
struct IncomingBytes {
    /// The number of bytes that have not been received.
    var rest: Int
    /// The function that takes the next bytes.
    let take: ([UInt8]) throws(BridgeError) -> Void
    /// The function that replies to the call after the last byte.
    let end: () throws(BridgeError) -> Void
}
