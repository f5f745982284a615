import CPCRE2
package import TextSearch

/// A regular expression of PCRE2 for searching text, with a bound on the work for each string.
///
/// Case makes no difference unless the pattern has a capital letter. `^` and `$` match at each line.
@safe
package final class SearchPattern: @unchecked Sendable {
    /// The limit on the length of a pattern, in bytes.
    private static let maxLength = 4 << 10
    /// The limit on the steps that PCRE2 takes from one starting point in a string.
    private static let maxSteps: UInt32 = 200_000
    /// The number of starting points that PCRE2 tries before the time is checked.
    private static let beginnings = 64
    /// The time after which the search of a string ends. A harmless pattern takes a thousandth of that time.
    private static let timeLimit = Duration.milliseconds(250)
    /// The limit on the memory for one string, in KiB.
    private static let maxMemory: UInt32 = 20 << 10

    package enum Outcome: Equatable {
        /// The first match, in bytes of UTF-8.
        case match(Range<Int>)
        case noMatch
        /// The pattern takes too long on this string.
        case tooLong
    }

    private let functions: pcre2_functions
    private let code: OpaquePointer
    private let data: OpaquePointer
    private let context: OpaquePointer
    /// Words that are in any string with a match, by which the index finds such strings.
    package let literals: [String]
    /// The number of strings so far on which the pattern took too long.
    package private(set) var slowTexts = 0

    /// Compiles a pattern.
    ///
    /// - Throws: ``SearchQueryError`` if the pattern is not a regular expression, or PCRE2 is not installed.
    package init(_ pattern: String) throws(SearchQueryError) {
        guard pattern.utf8.count <= Self.maxLength else {
            throw SearchQueryError("the pattern exceeds \(Self.maxLength) bytes, the limit")
        }
        guard let functions = Self.functions else {
            throw SearchQueryError("patterns need the library PCRE2; install the package libpcre2-8-0")
        }
        var options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT
        if !PatternLiterals.hasCapital(pattern) { options |= PCRE2_CASELESS }
        var (error, offset) = (Int32(0), 0)
        let bytes = Array(pattern.utf8)
        guard let code = unsafe functions.compile(bytes, bytes.count, options, &error, &offset, nil) else {
            throw Self.failure(error, at: offset, of: pattern, functions)
        }
        // If the kernel forbids this, the pattern is interpreted.
        _ = unsafe functions.jit_compile(code, PCRE2_JIT_COMPLETE)
        guard let data = unsafe functions.match_data_create_from_pattern(code, nil),
            let context = functions.match_context_create(nil)
        else { throw SearchQueryError("no memory is left for the pattern; close a program") }
        _ = unsafe functions.set_match_limit(context, Self.maxSteps)
        _ = unsafe functions.set_heap_limit(context, Self.maxMemory)
        self.functions = functions
        unsafe self.code = code
        unsafe self.data = data
        unsafe self.context = context
        literals = PatternLiterals(pattern).words
    }

    deinit {
        unsafe functions.match_context_free(context)
        unsafe functions.match_data_free(data)
        unsafe functions.code_free(code)
    }

    /// Returns the first match at or after an offset in a string, which must be valid UTF-8.
    package func firstMatch(in text: [UInt8], from start: Int = 0) -> Outcome {
        let deadline = ContinuousClock.now + Self.timeLimit
        var start = start
        while true {
            var limit = start + Self.beginnings
            while limit < text.count, UTF8.isContinuation(text[limit]) { limit += 1 }
            let code = match(text, from: start, before: limit)
            if code >= 0 { return matched }
            guard code == PCRE2_ERROR_NOMATCH, ContinuousClock.now < deadline else {
                slowTexts += 1
                return .tooLong
            }
            if limit > text.count { return .noMatch }
            start = limit
        }
    }

    /// Looks for a match that begins in a part of a string. Returns the code of PCRE2.
    private func match(_ text: [UInt8], from start: Int, before limit: Int) -> Int32 {
        _ = unsafe functions.set_offset_limit(context, max(limit - 1, start))
        let code = unsafe functions.match(self.code, text, text.count, start, PCRE2_NO_UTF_CHECK, data, context)
        // The stack of compiled code is small.
        guard code == PCRE2_ERROR_JIT_STACKLIMIT else { return code }
        return unsafe functions.match(
            self.code, text, text.count, start, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data, context)
    }

    private var matched: Outcome {
        guard let offsets = unsafe functions.get_ovector_pointer(data) else { return .noMatch }
        let (lower, upper) = unsafe (offsets[0], offsets[1])
        // \K can put the beginning after the end.
        return .match(min(lower, upper)..<max(lower, upper))
    }

    /// The functions of the library; nil if it is not installed.
    private static let functions: pcre2_functions? = {
        var functions = pcre2_functions()
        return unsafe pcre2_load(&functions, "libpcre2-8.so.0") ? functions : nil
    }()

    private static func failure(
        _ error: Int32, at offset: Int, of pattern: String, _ functions: pcre2_functions
    ) -> SearchQueryError {
        var buffer = [UInt8](repeating: 0, count: 256)
        let length = unsafe functions.get_error_message(error, &buffer, buffer.count)
        let message = length > 0 ? String(decoding: buffer.prefix(Int(length)), as: UTF8.self) : "error \(error)"
        return SearchQueryError("'\(pattern)' is not a regular expression: \(message), at byte \(offset)")
    }
}

extension SearchPattern: Equatable {
    package static func == (one: SearchPattern, other: SearchPattern) -> Bool { one === other }
}
