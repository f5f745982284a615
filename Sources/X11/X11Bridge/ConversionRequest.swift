/// A conversion that the owner of a selection is asked for.
package struct ConversionRequest: Sendable {
    package let ticket: Ticket
    package let selection: String
    package let target: String
    /// The timeout for each step of the owner.
    package let idleTimeout: Duration
    /// The parameters of a target with a side effect. The owner reads them from the property that receives its answer.
    package let parameters: [String]?
    /// The maximum number of bytes; nil for the limit of all conversions.
    package let limit: Int?
    /// True if pieces go to a socket as they arrive. A value in one piece is stored.
    package let streams: Bool
    /// True if the owner serves no other requestor while it sends to one: see ``OwnerReadScheduler``.
    package let isExclusive: Bool
    /// False if an answer in pieces (INCR, ICCCM 2.7.2) is not read. In that case, the owner never begins to send it.
    package let acceptsPieces: Bool

    package init(
        _ ticket: Ticket, of selection: String, to target: String, idleTimeout: Duration, parameters: [String]? = nil,
        limit: Int? = nil, streams: Bool = false, isExclusive: Bool = false, acceptsPieces: Bool = true
    ) {
        self.ticket = ticket
        self.selection = selection
        self.target = target
        self.idleTimeout = idleTimeout
        self.parameters = parameters
        self.limit = limit
        self.streams = streams
        self.isExclusive = isExclusive
        self.acceptsPieces = acceptsPieces
    }
}
