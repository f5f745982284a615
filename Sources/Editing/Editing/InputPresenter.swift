/// A toolkit's window, as ``InputHost`` uses it.
public protocol InputPresenter: AnyObject {
    /// Shows these views instead of the previous views; nil means no view.
    ///
    /// - Parameters:
    ///   - inputView: The input view, such as a palette.
    ///   - accessoryView: The accessory view, such as a bar with actions.
    func present(inputView: AnyObject?, accessoryView: AnyObject?)

    /// Plays the sound of a key.
    func playClick()
}

/// An input view or accessory view that may want clicks when its keys are used.
///
/// Source: `UIInputViewAudioFeedback`.
public protocol InputAudioFeedback: AnyObject {
    /// True if clicks are played while the view is presented.
    var enableInputClicksWhenVisible: Bool { get }
}
