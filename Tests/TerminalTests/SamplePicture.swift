import Testing

/// PNG files of 13×9 pixels in every color type and depth, whose samples ``SamplePicture/sample(_:_:_:_:)`` computes.
/// An independent program wrote them, with all filters, in two IDAT chunks.
enum SamplePicture {
    struct Format: CustomTestStringConvertible {
        let color: Int
        let depth: Int
        let isInterlaced: Bool

        var testDescription: String { "color type \(color), depth \(depth)\(isInterlaced ? ", interlaced" : "")" }
    }

    static let width = 13
    static let height = 9

    /// Returns the sample of a channel at a place.
    static func sample(_ x: Int, _ y: Int, _ channel: Int, _ depth: Int) -> Int {
        depth == 16
            ? (x * 3_001 + y * 1_777 + channel * 701) & 0xFFFF : (x * 31 + y * 17 + channel * 71) & (1 << depth - 1)
    }

    static let files: [(Format, String)] = [
        (
            Format(color: 0, depth: 1, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAQAAAADBAZvHAAAAEklEQVR42mMM/c0UGsHMcIkl9B9DaAAGNnS3AAAAEklEQVTj\
            qn9Mq1cwN2izrP4NAH/5Cij2V166AAAAAElFTkSuQmCC
            """
        ),
        (
            Format(color: 0, depth: 1, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAQAAAAG2BqtRAAAAE0lEQVR42mNkYGJgBGMQyQxh/wGy6lgYF0kTgAAAABNJREFU\
            GP4wrvrHxMDAHPofyAEAQ9MFl6JVzwIAAAAASUVORK5CYII=
            """
        ),
        (
            Format(color: 0, depth: 2, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAgAAAACGoeEXAAAAGklEQVR42mOytLRkYDbi5pZkcWVgeMvw5MmTA4yWDOTJ/CgA\
            AAAaSURBVAzHmURFRR2Yc5SVxVkCGRjuMIDUAQDjzQne6pUkkAAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 0, depth: 2, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAgAAAAHxptGBAAAAH0lEQVR42mNiYGZgAmOmFcwhLAxMHR3MLgxMdy8wc55lSfvM\
            JOr9YwAAACBJREFUUF7AePczk5+fnwPzXm9vPZYsBoZPDE+ePDkAAFSQEIQ+OOYzAAAAAElFTkSuQmCC
            """
        ),
        (
            Format(color: 0, depth: 4, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJBAAAAAAJ4RS3AAAAIklEQVR42mPhvwcCtxkE/t3ZNaMsgFHxHYh/k0mQURAIBJi1\
            fjRUUEdvWQAAACNJREFU/PjxhUVQ8D2Iz5DqrMj/9vQCxjKgqnf3rjAJgoEAANb2HsIeG8zzAAAAAElFTkSuQmCC
            """
        ),
        (
            Format(color: 0, depth: 4, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJBAAAAAF+5iQhAAAALElEQVR42mPhYGhgOcLgw+LQwfKqjEFvAWNSHYvCmT07GFIU\
            3ixg+btnD4P87emMhiiC3H0AAAAsSURBVGf2MCkpKTH7PC9nEXh3DwhuMRgJ/Luza0YBY8i9e0CRayB5ISUlBQD6ZiFukcKy\
            KQAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 0, depth: 8, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAAAAADMEfm2AAAAJ0lEQVR42mNmkNe384vNremZrW3lxSIIA/JAzKDkmFA/b++d\
            31KWEeXTGI29dPpmAAAAKElEQVTlkQCTIDJgNpZAAiwII0CmlE/beuWzkGFAft/aM68ZO5BNAQAs5RlbtvCdogAAAABJRU5E\
            rkJggg==
            """
        ),
        (
            Format(color: 0, depth: 8, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAAAAAG7FskgAAAAO0lEQVR42mNm+MHS0cFcY8bS8YPZZd6dWcx2s2+yuLgcYDjm\
            tI9ZyT+vd413FouLnZ0dEDPL++X2rPZiUQIDhpFFfdIAAAA7SURBVOSF92WjZzK22oEAE0SQWVDD3D0srbR1ioqxcxCLkjwE\
            gGmG0JLJmy5+4NfzzeledZKxXB4JAABMLSbl2DP5QAAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 0, depth: 16, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAAAAACcgSX1AAAAM0lEQVR42mNkYODeyQOEEBJGg0gmto/sOCAzVxbXVRDkDAWT\
            VxE8FogKoN6d6LoYpI+o1xqb2b0jUZ9dAAAAM0lEQVT3WhGWmCSVe7myp9V1wr8521cUMCptxe4IoDOQjUB1ErOMC5IjQpGd\
            xILLEewfAesnZMVoCcAUAAAAAElFTkSuQmCC
            """
        ),
        (
            Format(color: 0, depth: 16, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAAAAAHrhhVjAAAASklEQVR42mNkYIg9wWTeYdHBqPck7gSTBYglfUT/CQgyiheB\
            KCaZIzJHpI8wm95XDVG7wsj7SKJIvAiGwZIgaQhm5N4JkwHK8T0CQV4wybjFCiUAAABKSURBVCxtILRKeJWwFgizQGQgkMHZ\
            MWpzkWrn9IWcO6oZ2T7y7ARB7p3INIhEMQ5Bgw2X8OE9B4R+YBJK84DZQKt4gJAbRu5E8AAdG193fKy/UgAAAABJRU5ErkJg\
            gg==
            """
        ),
        (
            Format(color: 2, depth: 8, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAIAAABmGDE9AAAAQ0lEQVR42mNgcO+TT1tr13omdsnrmsNcsx9p7mL0uKmQ/sO+\
            TTxuqVntkdA5j0t2MzEKRsyXJwIwCRIHmJXcMiWgYAacQAUgWVJVOwAAAENJREFUIRYkPfJwAhWAhBggzpx8S3HTT4eLEvEf\
            zOv4w+bqle7xnXI7Z/Ov7kuSqz5anBQIZ0xb+4Wq/vAtEJEgAgAAjPRD6ta9xN0AAAAASUVORK5CYII=
            """
        ),
        (
            Format(color: 2, depth: 8, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAIAAAERHwGrAAAAY0lEQVR42mNgcO/7Yd/G2HFe7MePHww1h7lKdjMxsnhPAvFc\
            ui8dYPezaT61478bg13rmV2MHma1RxibTgrUgAGTCwwwKGVuSFj+bt5TnTvKWVKJKyLmP5t2V4Uxbe0XOwzAIJ+2NnZ2HG+K\
            AAAAY0lEQVTJ69mPNG8qpIvHLQ2d85jRseM8miomJQzAHFI+2wAVsGCqYhCMmG9Qvs9/2t28rX96r0iv+Wx1WijylWEFZ8B0\
            jfxt7n1Xga5qPSPMaFx1UJ4IgMUhWAGzb8EURSIAAGwVa2Rm+XrnAAAAAElFTkSuQmCC
            """
        ),
        (
            Format(color: 2, depth: 16, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAIAAAA2iO1+AAAAqklEQVR42mNmYGDay1rFvZNXgv+bkJjwF5HLEp8kLkrpy56X\
            11XgUdZW5VJ7ocmh/Uz7qP4Tg8NGiiYHzeQt/lnL2vyxveX4y/GGs7nbNQ9TT2EfYz9B/w8sbB/ZQXAn+0dqQAbeRwLzhWMk\
            Z8tEyIuqhmgIap0z5DU+ZdZuc8y+2cnBo97bxvdniEXY18hN8R+T1qVmZ6/KSy9UKU+uUqi52yzTerNjWt/ViZOm+H8O2RAA\
            AACrSURBVM/qm+u9gINR5LL4BClfnp0wyA2GPDuRRRAYvzj3TiaEQ9mgmHiIqZpZNFjMSEKA6yrXVc5QBEaGmOKcMIyhkoUE\
            VxARXQwG041DzARtAux5HU95cHod820OPhRWH2kTX51kkfI12yT3Y8G6sreVq2rSm5a1Jnco9MVPlJl8c5bEnKvzJy29uKJv\
            tffGri3u21n2Oh9gOLSX0bzDytWWCVsUkBYJEAwAWFcnz9ClNj4AAAAASUVORK5CYII=
            """
        ),
        (
            Format(color: 2, depth: 16, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAIAAAFBj93oAAABBElEQVR42mNmYGDay1oVeyJePZGVxbzDAgJPmJ9g1ntiuNAk\
            rtSqXLLiOwtI1BwsDpSRPiLXqGhn62an6sAcYhEmHv41RyuXM+85s3iRlL7MG2tZmz+2UUH8we9CfVhkjkgfkTki80T6CRgD\
            WQx+vwK3h5TU3muY3Ryx5tD6+k02zLyPBOYLx8g/VjikuEBrjna17k2zq+ZbLCY59jm/dT3td9xvWUBLZEP0/Zi9QANBUOKI\
            +BFxM3EziSI01hEwC8xm5t7JVyZoLHdebq1Cj2aH9jOdo6YHzeab1zlUOd1w3u6z2Xei/wcWvkeokBcIgXQREMLFGNRrtax0\
            vtu9d1zjkhmWGCkXfWgo0AUAAAEFSURBVDv3csGEYt9W1w6mrv1zts8vWWTIaBpvIWN1U7xIvAjsgiLxIhgbwWLigxgPt4zv\
            EaYDmNk+cq7jyeY3EhQQei/KJ/5W/LT0a5mTchoKx5XUVFjUVTSYtB7qMujd199rfNd4t6mUxU4rCetvdmIOXxwuu3xyveiu\
            73neW9eXJ0A7kCv4BdSLPHDIDYZA1k6ECBjv5IaIoYtDVENFGJS2qhZp6OvlGWobv7BSt3liv9D1gcdc76jAmSFh4cKxQQn8\
            SWcyubNP5LWWHClvrLJrqG22av3eY9b3eeKG6e9nrZmbuXjFstSVSusTN8ltuc1oMN04xEwQaOdObiQMgZgihMQB/Vwd6PSC\
            pYsAAAAASUVORK5CYII=
            """
        ),
        (
            Format(color: 3, depth: 1, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAQMAAADTtDQpAAAABlBMVEUAAAAHCw09bQo8AAAAAXRSTlNANjqZ9gAAABJJREFU\
            eNpjCf3NsGoFY+hvptAIZoZLGOGKwgAAABJJREFULKH/GEIDGFf9Y1q9AgCKywp2S86ELgAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 3, depth: 1, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAQMAAAGkswS/AAAABlBMVEUAAAAHCw09bQo8AAAAAXRSTlNANjqZ9gAAABRJREFU\
            eNpjYWBgYAFjEMkIYf9h+MP4h4lfDsWLAAAAFUlEQVSBuY5l1T+GVSsYV/1jYmAAAGTUCDuZXMR8AAAAAElFTkSuQmCC
            """
        ),
        (
            Format(color: 3, depth: 2, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAgMAAACUFE75AAAADFBMVEUAAAAHCw0OFhoVISe0Q1JzAAAAAXRSTlNANjqZ9gAA\
            ABtJREFUeNpjsLS0ZGD0Y2D4xOTq6urAPFtTk48llIHhD5pmGQAAABtJREFUOIOfn58D42QGhrdMgYGBDszHV69uAQDZbgug\
            2c8D9wAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 3, depth: 2, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAgMAAAHjE35vAAAADFBMVEUAAAAHCw0OFhoVISe0Q1JzAAAAAXRSTlNANjqZ9gAA\
            AB9JREFUeNpjYGBkYABjhhWMK5gYGDo6GDsYGO5eYCz/yZSWwEpQ54EAAAAfSURBVMx5liXtM4Ofn58D4xMGhjtMWVlZDcx7\
            vb31AGD/Dzp7Et2aAAAAAElFTkSuQmCC
            """
        ),
        (
            Format(color: 3, depth: 4, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJBAMAAAAbVLtZAAAAMFBMVEUAAAAHCw0OFhoVISccLDQjN0EqQk4xTVs4WGg/Y3VG\
            boJNeY9UhJxbj6limrZppcMRdm1cAAAAAXRSTlNANjqZ9gAAACZJREFUeNpj4n97emV7qgMzZ8MPIPjKIih4T1BQUIDBSODf\
            nV0zChid7709WWrCAAAAJklEQVS7d+/edSZBQUaQOLP1jx8NFT8+A9UJvgepa091VuR/ewAAcLIdgzofDxAAAAAASUVORK5C\
            YII=
            """
        ),
        (
            Format(color: 3, depth: 4, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJBAMAAAFsU4vPAAAAMFBMVEUAAAAHCw0OFhoVISccLDQjN0EqQk4xTVs4WGg/Y3VG\
            boJNeY9UhJxbj6limrZppcMRdm1cAAAAAXRSTlNANjqZ9gAAAC1JREFUeNpj4mCuYTrC/IrJ4QTTqwTmnZEsJg5MCm9WJDCH\
            VHT8Yvq7s5R5Yf57FiElF2GgcwAAAC5JREFUJYZg+duMpXvOMAn8u7NrRlkAs1ZFBwMDwx8WJQahdwwMPxjKQoyAUhsAuxse\
            PLqYb7sAAAAASUVORK5CYII=
            """
        ),
        (
            Format(color: 3, depth: 8, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAMAAADepFZYAAADAFBMVEUAAAAHCw0OFhoVISccLDQjN0EqQk4xTVs4WGg/Y3VG\
            boJNeY9UhJxbj6limrZppcNwsNB3u91+xuqF0feM3AST5xGa8h6h/SuoCDivE0W2HlK9KV/ENGzLP3nSSobZVZPgYKDna63u\
            drr1gcf8jNQDl+EKou4RrfsYuAgfwxUmziIt2S805Dw770lC+lZJBWNQEHBXG31eJoplMZdsPKRzR7F6Ur6BXcuIaNiPc+WW\
            fvKdif+klAyrnxmyqia5tTPAwEDHy03O1lrV4Wfc7HTj94HqAo7xDZv4GKj/I7UGLsINOc8URNwbT+kiWvYpZQMwcBA3ex0+\
            hipFkTdMnERTp1Fasl5hvWtoyHhv04V23pJ96Z+E9KyL/7mSCsaZFdOgIOCnK+2uNvq1QQe8TBTDVyHKYi7RbTvYeEjfg1Xm\
            jmLtmW/0pHz7r4kCupYJxaMQ0LAX270e5sol8dcs/OQzB/E6Ev5BHQtIKBhPMyVWPjJdST9kVExrX1lyamZ5dXOAgICHi42O\
            lpqVoaecrLSjt8Gqws6xzdu42Oi/4/XG7gLN+Q/UBBzbDyniGjbpJUPwMFD3O13+RmoFUXcMXIQTZ5Eacp4hfasoiLgvk8U2\
            ntI9qd9EtOxLv/lSygZZ1RNg4CBn6y1u9jp1AUd8DFSDF2GKIm6RLXuYOIifQ5WmTqKtWa+0ZLy7b8nCetbJhePQkPDXm/3e\
            pgrlsRfsvCTzxzH60j4B3UsI6FgP82UW/nIdCX8kFIwrH5kyKqY5NbNAQMBHS81OVtpVYedcbPRjdwFqgg5xjRt4mCh/ozWG\
            rkKNuU+UxFybz2mi2nap5YOw8JC3+52+BqrFEbfMHMTTJ9HaMt7hPevoSPjvUwX2XhL9aR8EdCwLfzkSikYZlVMgoGAnq20u\
            tno1wYc8zJRD16FK4q5R7btY+MhfA9VmDuJtGe90JPx7LwmCOhaJRSOQUDCXWz2eZkqlcVesfGSzh3G6kn7BnYvIqJjPs6XW\
            vrLdyb/k1Mzr39ny6ub59fNKrl9bAAAAAXRSTlNANjqZ9gAAABxJREFUeNpjZJBHAkyCyIBZSgICZoAIFpiwPIhgcEluWuzx\
            +K0AAAAcSURBVHjg/j9Zm+iqmTsYQ/GY4gI3Am6KPFQOAEd1EWZU2kiaAAAAAElFTkSuQmCC
            """
        ),
        (
            Format(color: 3, depth: 8, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAMAAAGpo2bOAAADAFBMVEUAAAAHCw0OFhoVISccLDQjN0EqQk4xTVs4WGg/Y3VG\
            boJNeY9UhJxbj6limrZppcNwsNB3u91+xuqF0feM3AST5xGa8h6h/SuoCDivE0W2HlK9KV/ENGzLP3nSSobZVZPgYKDna63u\
            drr1gcf8jNQDl+EKou4RrfsYuAgfwxUmziIt2S805Dw770lC+lZJBWNQEHBXG31eJoplMZdsPKRzR7F6Ur6BXcuIaNiPc+WW\
            fvKdif+klAyrnxmyqia5tTPAwEDHy03O1lrV4Wfc7HTj94HqAo7xDZv4GKj/I7UGLsINOc8URNwbT+kiWvYpZQMwcBA3ex0+\
            hipFkTdMnERTp1Fasl5hvWtoyHhv04V23pJ96Z+E9KyL/7mSCsaZFdOgIOCnK+2uNvq1QQe8TBTDVyHKYi7RbTvYeEjfg1Xm\
            jmLtmW/0pHz7r4kCupYJxaMQ0LAX270e5sol8dcs/OQzB/E6Ev5BHQtIKBhPMyVWPjJdST9kVExrX1lyamZ5dXOAgICHi42O\
            lpqVoaecrLSjt8Gqws6xzdu42Oi/4/XG7gLN+Q/UBBzbDyniGjbpJUPwMFD3O13+RmoFUXcMXIQTZ5Eacp4hfasoiLgvk8U2\
            ntI9qd9EtOxLv/lSygZZ1RNg4CBn6y1u9jp1AUd8DFSDF2GKIm6RLXuYOIifQ5WmTqKtWa+0ZLy7b8nCetbJhePQkPDXm/3e\
            pgrlsRfsvCTzxzH60j4B3UsI6FgP82UW/nIdCX8kFIwrH5kyKqY5NbNAQMBHS81OVtpVYedcbPRjdwFqgg5xjRt4mCh/ozWG\
            rkKNuU+UxFybz2mi2nap5YOw8JC3+52+BqrFEbfMHMTTJ9HaMt7hPevoSPjvUwX2XhL9aR8EdCwLfzkSikYZlVMgoGAnq20u\
            tno1wYc8zJRD16FK4q5R7btY+MhfA9VmDuJtGe90JPx7LwmCOhaJRSOQUDCXWz2eZkqlcVesfGSzh3G6kn7BnYvIqJjPs6XW\
            vrLdyb/k1Mzr39ny6ub59fNKrl9bAAAAAXRSTlNANjqZ9gAAACpJREFUeNpjZPjB1NHBWAMmXWpqahjtamqYXFxcmFsTEhiV\
            7MAAxAcBRnkIVwkMVylrxgAAACtJREFUmJ0NQIAFyLRTUmJY/lQ5cf5dRkF5JABVCQXMNopIgEUJrARCygMAw6IbitF0gJYA\
            AAAASUVORK5CYII=
            """
        ),
        (
            Format(color: 4, depth: 8, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAQAAABDc27hAAAAPklEQVR42mNicJdPs2uNXVJzePajXYw3FX7Yi8eZ1YbOKdnN\
            LGgqgQAzkNgSLILIQB6Zw2BcFTSzcMeE6+u/nRN9a2mguU8AAAA/SURBVMITrF3kNTFzQ8f55e8YXbrlcQAmQZyA2SZeAgdg\
            wa2LAWThMd6nOizeyllOnYkrGo7Pf7aP9a7KH2cAA1g1YxU+/tMAAAAASUVORK5CYII=
            """
        ),
        (
            Format(color: 4, depth: 8, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAQAAAE0dF53AAAAY0lEQVR42mNicP9hz9yx5oADU83hkt3Mx14dOMDk0n2A3aZ5\
            x38mu9ZdjGa1zMntCQ8eJLC4uLjU1LgwKWUmLJ/39I6yVGLE/Gl3mUMrHZEAk3xa7JLZj24qiMeFzmE2CjUAgw1AzKJAlXdM\
            AAAAZElEQVQEBXZAzNB65jAXo4d9W+2R3UyMy9/ZwQGTYIRBuf+0vK29V9Z8Pi30ypAzQCPfvS9tbesZZm0/RRwAaLg8DCiB\
            ERwwlO+bdnfrnyvSn62EIg0rAqbnb+u7uvbLGeHXRgA2e1S5kiYhlAAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 4, depth: 16, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAQAAAAT47KiAAAAZklEQVR42mNgYGDay72Tr0y8SEpfWVv1hd4Tw4VWc22j3MI8\
            hYP4Q87EnkhozWzMsSu1Kv/e8Ll5Q8+a/kxGto+c63h2wiA3EPLsxM5HsJnYP+KCbECIXYaZL4nfkesqBHJe5QyFsYG8UGQl\
            7RGGAAAAZ0lEQVQeMp8F2WQguRO3vQhZBqWtqkV6eYbaVuo2T1wfeMwNnBkSFhuUwJ/JnX2i5Eh5Y0Nts1WPWd/n6e9nrVm8\
            Ylnq+sRNcoyay3SSsQUCPh4THsfghMzytorS4CC4it3TmHzOqwBhOsXAz1nRwgAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 4, depth: 16, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAQAAAFk5II0AAAAm0lEQVR42mNgYGDaG3sioZXRvMPKNe5E3AkGvSeGC3vW9Gcy\
            puVkasadiD3BIH1ErtFrhW9qZU+N54qC1boM4kVS+m5hnsKlVuXfGY3NTD/rP9F/ogfETNJHZI6AMAgy8D4SmK8aoiFoc8y+\
            OcQi7Gv2qrz0ZpnWm7P65nozai7TSZYoEgdCGImgGbh38pUpa6u+sJprGxXEH3ImszHHrh3ElcMAAACbSURBVOFz8wZGydky\
            Edh0MfE94nvE+4gPAzIrKSr/F9YCwlVACKaFQPQqFqj6IgQNgQxsHznXCa0STZdLVlTQktG5aXrVYpJjn4u3r3sASyRD9N6U\
            nellBUXF+jXadS/an3QtnDx3WhSjyGXxCTw7IZAbCHl2Yuch85kQzsTmdIQcsiyzvK2iNO85MPQDQgjrHA8Q8iJDJDnecwDa\
            ILgrquM9UQAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 6, depth: 8, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAYAAADpeqZqAAAAUElEQVR42mNhcO+7Kk8iYBCMmP/MoHwfq/+0uyp5W/84916R\
            Tlrz2arxtFDkgleGFfs5A6bf08jf9hdotkza2i/WrWeEoxiVMjd8J9UmJkEyALO2X2r754oAAABQSURBVJGoBA4wA4VCABaE\
            fnkME+VxSDDAPLfktVHlYa7AGY80C7YzevRfU0hf99W+7axI3NI3xrVHuIPmPNYq3M3kOeGWYsZ6RmDA+dAlIADatlrqSroH\
            OAAAAABJRU5ErkJggg==
            """
        ),
        (
            Format(color: 6, depth: 8, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJCAYAAAGefZb8AAAAdklEQVR42mNhcO+7+gMIGDrOi8U2HOcLZak5zBUIFmHxnnTz\
            j3PXRRaX7kuSNUiAxa71jDCMw9B0UiD8n2vP5aqDHP6Mx3hDZsOVKWVu+G6HAzCkrf1iveS1UeUjzYLtCunrvsYtfWM857FW\
            4S3FjPUs8kBZrLocgc6se1HiDgAAAHZJREFUB1qyF+i4306dFyyBTi7fx+rDmLzqowU2HUxKOABzaoeOv8EGAxACgQ0wxCIY\
            Mf+ZPImAwRjo/aCZD9QLd/x3m3BdLnX9N9uWc6Ixi9+aVB/iCZ71ULtoJ4PXxBvyoCABBfXyd6Y1jKFAD5NqE04P4QMAKdmW\
            aZIMGGMAAAAASUVORK5CYII=
            """
        ),
        (
            Format(color: 6, depth: 16, isInterlaced: false),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAYAAAC56nopAAAA2klEQVR42mNiYGDay1rFYc69k69M0Fj4g3iRlL7MG/mVytqq\
            LzSWaifpPTFcaBJnLm011zbKQdzpiluYp7D3Bb/eIP6QM+GdUW6xJxJak51S/2c25tjl/S7cUWpV/r1qS21hw+fmDW25nVo9\
            a/ozJ6lNeczM9pEjgEuPm5frKghyhmInYRCXPGF9LOwfiYFsMHInKskOIwlCBpHL4hOkfGW5FHqUPdXYNA7ruOozGe43qTH/\
            Z7XbtsLB1Hm7W4mnofc7/4Ig3ZBX4cujNWOfJSxOTkh7lDk/JyZfsmh2adDrttQAAADaSURBVESFaNWlupBGweZzbd1dvD2n\
            +tsnuUw9NqN5tsPcvwvrl9gs+7lyG6P0EblGRTvl3zw7eXZy70QnYZB7J7Hy3CgyCHEm4jxOMEjhJC7ILOEjpSXNKZNObCLg\
            RJEhPvGwkJoIiI9+tMRg3mHlastkv9/Z0fWfx27vCr9fgdtDSsINozbHFiToJr1Ky8nUzH6Wt7hIteRR+fyqmNp7DbObI9pE\
            O6f3hPQLTjw3NWAG76xTc9sXci4+tqx5pcOaQ+vrN9ls+bmjerfF3q8HNh0xOfbx5Loz2QAANpO5fKH2AwAAAABJRU5ErkJg\
            gg==
            """
        ),
        (
            Format(color: 6, depth: 16, isInterlaced: true),
            """
            iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJEAYAAAHO7Uq/AAABW0lEQVR42mNiYGDay1rFYR57IqE12Sn1P7N5h+Vz66PWS7xX\
            eK/wAmImvSeGC03izKV71vRnTlKb8pjZ/1fgzcDtwdPA8hpAFdJH5BoV7ZR/e63wTQ1QCrpf2VPjWc/WeHhFwWrdta82LGcS\
            L5LSl3kjv9ItzFPY+4Jfb6lV+feqLbWFzBp/Ne5oWelIql1RDVG7AiSvqIEhi/QRGTCUfiIDgUdApPQTJt5HAvOFY8QkVUM0\
            BLXO6XbbHLNvdnJw+RtiEfY1clNMfvaqvPRCleKHzTKtNzumdQfP6pvrvYBj0VFmZVMVEbVPahelZkvOlpKWgmAgCeZB2GAZ\
            SZgMlM/EvZOvTNBY+IOytuoLjaXaSVZzbaMcxJ2uBPGHnAnvjHLLbMyxy/tduKPhc/OGttxOLWYRe1FZ8T8SUcKrhLWAEESu\
            EgKSQmAWFGpBIZDNwveI7xEvFPMVQTFOyPuIweQO35QAAAFbSURBVDTeQsbqpu00n4v+fUHeoRwpzukMmXtzqqq31hU16je/\
            maw+9cmMhbPjVs1cG7ZBeNMFRmdH138eu70rxIskgFAcjMWhLHQ+iMXE9pFzHU82v4bQKtF0CRWph3LJigrKd9Vmacno3NSf\
            ZhRsetVikrW/HY9jn4u3O4fnUV/3AJagg6F1kQzRe+OqEs1TdqaXZRnnfCgoKtYvfVOxska77kXj0pak9iddC3vjJkhPnjst\
            aqb47CvMgtHCliISYt94z4GhH4zkgbHBkAcHCYd+2EmEWhZY4PEAIfcjnp2oJAxyEyIx9e1EVcVgMN04xEzQ4pxNgD2v4ymX\
            dg9Or2O+zQEOwYfC6iNton/GVydZpHxN35RtkvuxYF1xdtnbylU16fUqTctakzsUuu72xU+UmXxz2rRZEnOuzp+0yH/pxRV9\
            q73XcWzs2uK+nWXnwb3OBxgO7T1aBQCKeH0AxtdobAAAAABJRU5ErkJggg==
            """
        ),
    ]

    /// A picture of 96×64 pixels of eight-bit gray, (x² + 3y²) / 29 modulo 256, whose compressed blocks have their own
    /// codes.
    static let large = """
        iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAAAAADAXy3SAAAHpklEQVR42rWY9yOW7RvG7xQaUrS0S6IyEkKhIlEZobJDSSgp\
        FBWFZDQQZYRIi5YWadLQ0kYpKS3R214qlb7Hed338+j7w/vje/4Bn+u4j/O8nuc4L45j1aaNhETbdu0kpaTbd+gk07lLV/lu\
        PXr17tt/4OAhQ1VGqI0cpaM3xnC8yaTJltPs7J1mecz18Vu8ZFlYxJq4+KTUjJyd+QeOFJ8+d/n6neraZw1vP//4I9lJrlf/\
        ISM09bi/D5CkAzr+ywFj6YAp/3LAHjrg/L8fwPht+Q/AAbJd5OS7iw8YNkJ9pBYOMJow0QwHTLd3njVbfMDa+OTUTBxQcPT4\
        GRxQUf3oWaP4AKURo/QYXcTnD5DpLNtVrlv3ngp9cICikvIwVXVNrdH6/AFWNtMdnN1me/kuxAErI6PXJiSnZW7bxR9w5UbF\
        /UfPG999acYB8goDlFRH6Qv4v/j0AcwhhT79BgxSVFIZrqqhqa2rbzDO2NR8qpXtDAcXtznzfBcGLF2+MjJmXcKmtKzcXXsP\
        Fp4ouXDlZuX9x89fvf/SzEnJyCsMHKqqpc9JMDprsMBHB9gHiB36q8cW1nYzHV3dPb3n+wcGr1i1OnZ94ub0rdt37ztUdLK0\
        7Oqtqgd1L/758PVnG+nO3XoPUlbTHsMxeDsmX+DDIL4Dog/4yyFqAd/jRUEhoeFr4jZsTNmSvSNv/+Fjp85eLL99t+ZJ/euP\
        335JtJft3newirrOWE6SlRSPF/QTXzBImf8AXXwAOWTNO+QlOBQt7rEwpfdqnza8+fS9pV3Hrj37KQ4bOdqQk5IiuHR7AS/L\
        /GF8fkaHq6EDo/UNhA/AkLp6eHov4B2KWZ+4KT0rd7fQghuVfI/FQ6SpZ8S1p+pAdAEvD/979RbzmUH8JUAHRB8gugUbklIy\
        Wh26VVVTVy9uwcChalpjxnMdqQCX6SzC96D+9hsg4tMdGGPIj5AN3wHxB7AZEg2p2KFvv9t26NIDLdDQMTDmZGSI3VlWtosI\
        34suAPwX83XHGIwTDJrp6OLOZlT8AVuyt+cJM8QPKX8L+HusazSRIzLYXeVAF+FJPvWX+SPiiwya7cWPEN8B4QPQ4kvXbt97\
        +OTl649NmCF+SOGQGSeHkpcnOKP3Br7/QCYf86OhSf4QX2iAs8ggfoTwO0QdEH8AtRi/E+IZMjCZzHWn6tEDcIE+gPC8/JGj\
        tEeT/2L94OOOYUR5gzbiktEtFnWAPuBD0y+hxfidGGdqwfWiUlAAXKAPhnpluM/k6+pjfozhv5g/bz79CoWGR8WSQZnb6Jda\
        GKEH1IHWD6AWm1tzfVB9+/bt16+/QFcaSuqBZ/Ix/yam5lMsxXz6lcMdpglKxg81M4jdgYrq2qcv37Bb/NcH2HLgogYOHAQ4\
        o6sMH6GqzuN5+ZMmT7XC/LTqZw1eF09XAL9CBwthEDp8l+7A+6/NHI0Q3wHjydYzucEoRaCHKBF8GOhq6iM1tXj8OCbfwtpm\
        OubTbfZcbzEfDU7ZshV3mCZIZBD+Cb634A5070MjpD9+koWdIzeUSllZRWUYD9cYCfE6unpjeLwZkz/DwcnVfY6XzwL/APJf\
        zN9FP0KnzvIT9KyBGSTdmf4JcAcMTaZMs3flhlONGKGqqsbDtbR1SLyBkYCH+9PtHV2Y/X6LAjE/4VHMH8anBpeWCQ14jR8J\
        TqqTHN/hsRPMrKY7e3DqKA0NjZFgM7gu0Q3HwXseD3ccnCGf2ROE+Y+IikV/xfyTpWgwTSgagDvcriN+JJhB1GEHt7mcFitt\
        bR1i6+nDGSPQTUwnwXurabbAO7m6zSb5sAf2R66JW5+I+UF/9xbwfLoBdS/wG/EDDZDtziZIz2jilGkzXef4crq64IIMNJQD\
        PgHaJ5mTeIZ3dnXz8IT7TH4Y2b9hI+Y/h/GLT/H8GuJ//v67LSaUGkATZG49w9nDeyFngDI0NDQCGmwTwM0mT5lqCfF2M+wd\
        nUm9lw/cgfskP3Z9QlJKeta2HXn7Dh6l/jJ/BD5ugLxC/yHDWQMs7ZzcvfwCuQkoY2NjE6DBNgfcwsqa0R2cXGa5wxzg0dyQ\
        FXCfyU/NgP35+w8VHsd8Xr1RAf8FPgaoV380WHsMJpQaMD8ghJs0yQxlbj4Z6KkWlgw+faa9I9E90FrfBaQe+PDV0XHr0d30\
        rJwdZE/RCdyv8puV1bXo7998dfBNp9o4zPL0XRy8krOgsrS0srK2nmYD9oyZkO7syugQ7+e/OGjpMhE+aXNaRjbJJ3tKL1y+\
        dqvq/qOnLzE/6G97ER8DNNXG3nWOz6KlYas5W1Z2dtMJbe8A5a6z3Dxmewr0wCXBy0JXRhA+nrkD9/cWHIb8c7Dnzt0Hj581\
        YP6bW1h//5/vvyQ0Mo5zYOXo6OTk7EJsKAfc21dEXxG2KjIqBuqB30Lu7DlwqFCQX1mN9ja+/dj080+7DrKYnyHkfyt/RWRs\
        AjeLlZubu7vH7Dlge3n7AL5wkYgesXpN7NoNZA7w23fvgTvHTorkP3pK9n/71UaqYxfMvxLmh/kv8CNi4zdznlRz53p5zZtH\
        6AV+C/0XBQQuWRoi0GPIm+SUNDKH8EeOnThztkyQ/7zhzYevP1okpGXkevYdNBTzP3bCJIu/+d9N614AAAemSURBVBmcr+98\
        1IIFfiD7L1ocEBi0NDhk+YqwleGRUYyemLQ5dUtmdq4If/rshcvlNyvuPaDuvvv07ScHe+R79RusrDpK18DYzNIW88P8J34u\
        txgVEBAQGBi0ZAnQy5avCF25KjwS0mPXEn1TanrG1pztu/L2Hjh0lOEvlcOd+7VPXjSS/N8SUp26du8N+9W19IxMzK3sHN08\
        fRctBT8B/DwuBLVs2bLlAIeGAR0BdnRMHOAJG5M3M3ruTogvOFxYfPIMqb9xp+p+Ldx5/R7uQz6mk9mjg/ZOsZ6B+zt/cXDY\
        6riElMzc/AJu1apV4agIgFdHAR0L9ob4RIKnbcmE9p278/dBfNHxUyXnymAO8GQ+3Glq/tNWmslXVFGDPWT/TBePeX6BISuj\
        1iamZm3PP1jExbCKjY2LW7tuPdAJG5OSN6WkphM8d8euvD2gHyki8ecvXrl2q+IuqX/J8C0SUh1lu/XqR/K19Y1MJlvZOcya\
        47MwaHl49PqktK079hw6doaLRyUkJCQmbkwCeXNKalp6RmZWNuCQvnd/AbQXnzxdeh7ib9yuRGufMPUwv40k3OnZZyDcZ/Kn\
        Tpvh7D53PuyPiNmQnJ69c9/h4pIyLoUqNTUtLT19C8hbs3O2ETtvD8GPFB47fvIM0a9eJ/EPHz990fj6/acmHi/Xg9xR1YT7\
        E0m+62xvsgf2b87Ytnv/kROll65zW6mys3Nytm3L3b5j567defl79u0vOHiYwU+XwJnL5ddv3amqroH4l6/efPj8rblFwPcf\
        rEzuGBqbwX3I9120ZEV49LqNZH9B4clzl29WcbtQu3fvzsvLz9+zd9/+AwUHDx0+Wnis+MQpgpddunLtxq2KquoHtXXP6htf\
        v/v45fvPP/Cexw8doaGlZzABwzPdcdYcb7+AkLDVsfGbYM/eQ8dOX7h6614td+BAAergwUOHDh85crSwCOiTp86UnD134eLl\
        KyS98u79mkegN/zz9sPnpubfXDvpTrLwnsfrGow3hTv2Lh5ecJ/Jx3Tm7T9yvPTitTv3H9dzx1DFxcXHj58A+PSZktKz586X\
        MfYNgkP64yfP6xsZ/cevPxKSHWS6duvVd4CiMo+fONnSlrnjH7QM7jP5ew4WnTp3+UZVzZOGt1wp1dmzwJ6/UHbx0uUrV8uv\
        3bgJdtW9+zWAP3vR8ArOCPT2EN9Dod+gISqqI7X1GB7mu3n6LAwMCYuMWZ+UyssvKSu/fa8WG20Td4Xq6lVgr10H+PadCqCr\
        wX5U9/R5PeBvP3z68q1ZoMt1h/jBQ4eraeroG04wJfVObp4wPzg0Inpd4uaMHLjP5Fc+qKvHOviHu4OqqKiorKyqugvwg5qH\
        QD95BnbjP2/eEfzHzxaurUDv03+QkooqvBljZDxpipWtvTPhF8P8NWsTNqVv3ZFfcPREKZP/rPH9158S7bmamoeo2tpHjx7X\
        1T15+uz5i5dAv35L7K/ffvxq4SQkpTvKdJFn9CEqI9RH6ejDG6y0dg4u7p4+fgHAR8XFJ6dlbYc7xWfOX7lZxctvkewkz71A\
        1dfXv3zZ0ND46p/Xb96+e//h0+evTd+bf/7+06YtwWXluvVUgDNKoGtq640dB/GWNjMcXT3mYlsLFuFzse8fO3XuEr2IwH2S\
        L9ujL/eO6v37Dx8+fvz0+cvXpm/ffzT/+v2HkwC7Q6fOXRi8/yDFocNUNehRx8jYdLIF1mVntznz5vsHhoSyFxceX3Ty7EXa\
        1J4KLzr0XMF9p/rxo7n5589fv1v+cG0k2raTkqY3F7DZkw7g9GSkNZp/D6HnCizjwoNOZDT/HCK8VpTfEh4T2CbbT3H4yP/+\
        MaQzK2FNlmevCGzNF94p+D2T7eHCQ4I7rTmilwrxoi/gH78QP+YMYC8Jphy/Air0xoYpWgL5LY32HCyBBkbjjU3NWpc0WjJp\
        C2dLIEIqe00TLYEsYsN80RaLHYpTZPsTW6BaNyjacfTHEJs2NMtptq0rDr+CxLIVkJb8v1Y0Us92THpGQIBEAJ7u9N8vIFgM\
        UNgNDFiEn0C7BwK8BdB2reuBOL9Hs/VjC5+vKUBeKr9VSfmU8iMnSeoJj/2D4hfiL2dKRRHbnEV3itc24niN3cCbVpugYH45\
        WId8KsRflt7ZdlBTh/XyE8U7eN93sLKasN64zPbxXxrK2bBi8XfGTCRrR2cXFq0JvWDhooAgRPewcIJvSIQxLD4eEOjXb4vD\
        NcK7DKUvFaae4b0XBiHcca6sWDr1QDrlw+kCP3+GXh5KAY+lx00p6Yh3O/P30WYgoiN9vXr7qYmFO2TrISxbi/HLw2M2bOJ8\
        WFGARCxFLl2MiEfBlKGjWbpL5oPvToQ7Sl8l5y6K6I3iaNqjz0Alyl6IvmJ89Prk9BxuCdXSpcHBISw2snC3OorPdgiOKWBT\
        LoVycbS7KU6OX77/pmBNiwEfvcwsbO1dRfik9Oxd+zhEOhRSHWIdy3XrWPjaRKmxNdgdKTpO8EtXkY2qax4/rX/1ltElKfci\
        OA7XEJKXIwu+K5h6SkbH//vglYHKzMzMyqJwxEcjPhkhvRQhvCAystglCkb49//yjSUXWUZXUdMcPbY1d1FwwT//lpxdUF9S\
        du3O/wBrPK8OwehcgwAAAABJRU5ErkJggg==
        """
}
