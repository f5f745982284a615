/// The input view and the accessory view of a window's first responder.
///
/// Each view is the first ``EditingContext/inputView`` or ``EditingContext/inputAccessoryView`` up the chain. The views
/// come and go with the first responder:
///
/// ```swift
/// let host = InputHost(center: center, presenter: window)
/// ```
///
/// A program keeps the host for as long as its window has input views.
///
/// Source: `UIResponder.inputView`, `inputAccessoryView` and `reloadInputViews()`; `UIDevice.playInputClick()`.
public final class InputHost {
    /// The presented input view.
    public private(set) var inputView: AnyObject?
    /// The presented accessory view.
    public private(set) var inputAccessoryView: AnyObject?

    private let center: EditCenter
    private let presenter: any InputPresenter
    private var observation: EditCenter.Observation?

    /// Creates a host, and presents the views of the current first responder, if it has any.
    ///
    /// - Parameters:
    ///   - center: The center of the window.
    ///   - presenter: The toolkit's window. This object keeps it alive, so it should refer to this object weakly, if at
    ///     all.
    public init(center: EditCenter, presenter: any InputPresenter) {
        self.center = center
        self.presenter = presenter
        observation = center.observe { [weak self] in self?.reloadInputViews() }
        reloadInputViews()
    }

    /// Asks the chain for its views, and presents them if one has changed. Call this method when a context's view
    /// changes but the first responder does not.
    ///
    /// Source: `UIResponder.reloadInputViews()`.
    public func reloadInputViews() {
        let chain = center.chain
        let view = chain.lazy.compactMap(\.inputView).first
        let accessory = chain.lazy.compactMap(\.inputAccessoryView).first
        guard view !== inputView || accessory !== inputAccessoryView else { return }
        inputView = view
        inputAccessoryView = accessory
        presenter.present(inputView: view, accessoryView: accessory)
    }

    /// Plays the click of a key, if one of the presented views conforms to ``InputAudioFeedback`` and wants clicks.
    ///
    /// - Returns: True if the click was played.
    ///
    /// Source: `UIDevice.playInputClick()`.
    @discardableResult
    public func playInputClick() -> Bool {
        let views = [inputView, inputAccessoryView]
        let wantsClicks = views.contains { ($0 as? any InputAudioFeedback)?.enableInputClicksWhenVisible == true }
        if wantsClicks { presenter.playClick() }
        return wantsClicks
    }
}
