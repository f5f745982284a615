import BridgeClient
import LinuxSystem

extension Session {
    /// All that is on a pasteboard; that nothing is there is a failure.
    func fetch(_ pasteboard: String, by client: BridgeClient) throws(Failure) -> FetchedContents {
        // Each representation may be a file of its own.
        DescriptorLimit.raise(to: 4_096)
        do throws(BridgeClientError) {
            let contents = try client.fetch(pasteboard: pasteboard)
            console.detail("\(contents.forms.count) representations, count \(contents.count)")
            guard !contents.forms.isEmpty else {
                throw BridgeClientError(code: .empty, message: "the pasteboard '\(pasteboard)' is empty")
            }
            return contents
        } catch {
            throw Failure(error)
        }
    }
}

extension FetchedContents {
    /// What could not be had; nil where that is nothing.
    var problem: Failure? {
        let missing = forms.compactMap { form in
            if case .missing(let reason) = form.bytes { "\(form.type) of item \(form.item): \(reason)" } else { nil }
        }
        guard let first = missing.first else { return nil }
        let others = missing.count > 1 ? " (and \(missing.count - 1) more)" : ""
        return Failure(.broken, "not everything could be had: \(first)\(others)")
    }
}
