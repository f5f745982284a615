package import PasteboardWire

/// The links to other machines.
package final class LinkRegistry {
    private var links: [String: Link] = [:]
    /// The functions that close the links, by name.
    private var closings: [String: () -> Void] = [:]

    package init() {}

    package var status: [WireLink] { links.values.map(\.status).sorted { $0.name < $1.name } }

    /// Adds a link.
    ///
    /// - Parameter onClose: Called when the link is closed by its name.
    func open(
        _ parameters: Methods.OpenLink.Parameters, process: Int32, onClose: @escaping () -> Void
    ) throws(BridgeError) -> Link {
        guard parameters.name.isLinkName else { throw BridgeError(.invalidName, "a link cannot have that name") }
        let permissions = try LinkPermission.chosen(parameters.allow ?? [])
        if let token = parameters.token, let former = links.values.first(where: { $0.token == token }) {
            closings[former.name]?()
            remove(former)
        }
        // A link of the same name that was made here leads to the same machine.
        let isOther = parameters.token != nil && links[parameters.name]?.token != nil
        let name = isOther ? numbered(parameters.name) : parameters.name
        if let present = links[name] {
            throw BridgeError(.refused, "there is already a link to \(name), of process \(present.process)")
        }
        let link = Link(
            name: name, process: process, permissions: permissions, isShared: parameters.shared == true,
            token: parameters.token)
        links[name] = link
        closings[name] = onClose
        return link
    }

    /// Returns the name with a number that no link has.
    private func numbered(_ name: String) -> String {
        // There are more numbers than links, so one of them is free.
        let number = (2...links.count + 2).first { links["\(name)#\($0)"] == nil } ?? 2
        return "\(name)#\(number)"
    }

    /// Removes a link that has ended, with its connections.
    func remove(_ link: Link) {
        // Another link may have replaced this one.
        if links[link.name] === link {
            links[link.name] = nil
            closings[link.name] = nil
        }
        link.closeAll()
    }

    func link(of key: String) throws(BridgeError) -> Link {
        guard let link = links.values.first(where: { $0.key == key }) else {
            throw BridgeError(.refused, "there is no link with that key")
        }
        return link
    }

    func close(_ name: String) throws(BridgeError) {
        guard let close = closings[name] else { throw BridgeError(.refused, "there is no link to '\(name)'") }
        close()
    }
}

extension String {
    /// True for a name that can be shown on a terminal, of at most 255 bytes.
    fileprivate var isLinkName: Bool {
        !isEmpty && utf8.count <= 255 && unicodeScalars.allSatisfy(\.isPrintable)
    }
}
