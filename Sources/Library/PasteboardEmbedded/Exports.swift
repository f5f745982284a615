// With this, a program needs one import, and the rest of its source is the same with and without the bridge inside.
// Swift has no stable spelling for it: a later compiler may require a change of this line.
@_exported public import Pasteboard
