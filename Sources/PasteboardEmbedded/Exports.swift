// A program writes one import, and what it writes besides is the same with and without the bridge inside. Swift has no other
// spelling for this; the underscore stands for source that a later compiler may want changed, and it is this line alone.
@_exported public import Pasteboard
