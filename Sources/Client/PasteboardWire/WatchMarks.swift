extension Methods.Monitor {
    /// The environment variable with the marks of the watchers on whose behalf a program runs, separated by spaces.
    package static let markVariable = "XPB_WATCH"
}
