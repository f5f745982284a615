import RichText
import Testing

/// Paragraphs as word processors write them, with text of our own, and the layout expected from them.
struct ProgramSample: Sendable, CustomTestStringConvertible {
    let program: String
    let source: String
    let texts: [String]
    let layouts: [ParagraphLayout]

    var testDescription: String { program }

    var styledText: StyledText {
        get throws {
            let bytes = Array(source.utf8)
            return bytes.first == UInt8(ascii: "{")
                ? try #require(RichText.styledText(fromRTF: bytes)) : RichText.styledText(fromHTML: bytes)
        }
    }

    static let all = [wordHTML, wordRTF, textEdit, libreOfficeRTF, libreOfficeHTML, googleDocs]

    private static func layout(_ change: (inout ParagraphLayout) -> Void) -> ParagraphLayout {
        ParagraphLayoutTests.layout(change)
    }

    private static let wordHTML = ProgramSample(
        program: "Word, HTML",
        source: """
            <html><body lang=EN-GB style='tab-interval:36.0pt;margin:8px'><!--StartFragment-->

            <p class=MsoToc1 style='tab-stops:right dotted 453.0pt'><span lang=EN-US>Preface<span
            style='mso-tab-count:1 dotted'>............................................. </span>7<o:p></o:p></span></p>

            <p class=MsoNormal style='margin-top:12.0pt;margin-right:18.0pt;margin-bottom:
            8.0pt;margin-left:36.0pt;text-indent:-18.0pt;line-height:150%'>Hanging</p>

            <p class=MsoNormal style='margin:0cm;margin-bottom:.0001pt;line-height:14.0pt;mso-line-height-rule:
            exactly;tab-stops:center 3.0in right 6.0in'>a<span style='mso-tab-count:1'>&nbsp;&nbsp; </span>b</p>

            <!--EndFragment--></body></html>
            """,
        texts: ["Preface\t7", "Hanging", "a\tb"],
        layouts: [
            layout { $0.tabStops = [TabStop(location: 453, alignment: .right, leader: .dots)] },
            layout {
                $0.headIndent = 36
                $0.firstLineHeadIndent = 18
                $0.tailIndent = -18
                $0.lineHeightMultiple = 1.5
                $0.paragraphSpacingBefore = 12
                $0.paragraphSpacing = 8
            },
            layout {
                $0.tabStops = [TabStop(location: 216, alignment: .center), TabStop(location: 432, alignment: .right)]
                $0.minimumLineHeight = 14
                $0.maximumLineHeight = 14
                $0.paragraphSpacingBefore = 0
                $0.paragraphSpacing = 0
            },
        ])

    private static let wordRTF = ProgramSample(
        program: "Word, RTF",
        source: #"""
            {\rtf1\adeflang1025\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\fbidi \froman\fcharset0\fprq2 Times New Roman;}}
            {\stylesheet{\ql \li0\ri0\sa160\sl259\slmult1\widctlpar\rin0\lin0\itap0 \fs22 \snext0 Normal;}}
            \pard\plain \ltrpar\ql \fi-360\li720\ri360\sb240\sa160\sl360\slmult1\widctlpar\tqr\tldot\tx9060\wrapdefault
            \rin360\lin720\itap0 \fs22 {\rtlch\fcs1 \ltrch\fcs0 \insrsid1 H}{\rtlch\fcs1 \ltrch\fcs0 \sub\insrsid1 2}
            {\rtlch\fcs1 \ltrch\fcs0 \insrsid1 O\tab 7\par }\pard \ltrpar\ql \li0\ri0\sl-280\slmult0\widctlpar
            \tx720\tqc\tx4513\tqdec\tx8000\rin0\lin0\itap0 {\insrsid1 b\par }}
            """#,
        texts: ["H2O\t7", "b"],
        layouts: [
            layout {
                $0.headIndent = 36
                $0.firstLineHeadIndent = 18
                $0.tailIndent = -18
                $0.tabStops = [TabStop(location: 453, alignment: .right, leader: .dots)]
                $0.lineHeightMultiple = 1.5
                $0.paragraphSpacingBefore = 12
                $0.paragraphSpacing = 8
            },
            layout {
                $0.tabStops = [
                    TabStop(location: 36), TabStop(location: 225.65, alignment: .center),
                    TabStop(location: 400, alignment: .decimal),
                ]
                $0.minimumLineHeight = 14
                $0.maximumLineHeight = 14
            },
        ])

    private static let textEdit = ProgramSample(
        program: "TextEdit, RTF",
        source: #"""
            {\rtf1\ansi\ansicpg1252\cocoartf2761
            \cocoatextscaling0\cocoaplatform0{\fonttbl\f0\fswiss\fcharset0 Helvetica;}
            {\colortbl;\red255\green255\blue255;}
            {\*\expandedcolortbl;;}
            \deftab720
            \pard\tx566\tqc\tx1133\pardeftab720\fi340\li567\ri141\sl288\slmult1\slleading40\sb100\sa200\pardirnatural\partightenfactor0

            \f0\fs24 \cf0 x
            \fs16 \super 2
            \fs24 \nosupersub  y\
            \pard\pardeftab560\slleading20\pardirnatural\partightenfactor0
            \cf0 z}
            """#,
        texts: ["x2 y", "z"],
        layouts: [
            layout {
                $0.headIndent = 28.35
                $0.firstLineHeadIndent = 45.35
                $0.tailIndent = -7.05
                $0.tabStops = [TabStop(location: 28.3), TabStop(location: 56.65, alignment: .center)]
                $0.lineHeightMultiple = 1.2
                $0.lineSpacing = 2
                $0.paragraphSpacingBefore = 5
                $0.paragraphSpacing = 10
            },
            layout { $0.lineSpacing = 1 },
        ])

    private static let libreOfficeRTF = ProgramSample(
        program: "LibreOffice Writer, RTF",
        source: #"""
            {\rtf1\ansi\deff3\adeflang1025
            {\fonttbl{\f0\froman\fprq2\fcharset0 Times New Roman;}{\f4\froman\fprq2\fcharset0 Liberation Serif;}}
            {\stylesheet{\s0\snext0\ql\nowidctlpar\f4\fs24 Default Paragraph Style;}
            {\s16\sbasedon0\snext16\loch\sl276\slmult1\sb0\sa140 Body Text;}}
            \formshade\paperh15840\paperw12240\sectd\pgndec\pard\plain \s0\rtlch\af6\afs24 \ltrch\loch\cf0\f3\fs24\ql
            \li720\ri360\lin720\rin360\fi-360\ltrpar{\hich\af4\loch\f4\loch
            indented}
            \par \pard\plain \s16\loch\sl276\slmult1\sb0\sa140\sl360\slmult1\ql\tx720\tqc\tx1440\tldot\tqr\tx2880\ltrpar
            {\loch
            b}{\loch{\*\updnprop8000}\up8\loch
            2}
            \par }
            """#,
        texts: ["indented", "b2"],
        layouts: [
            layout {
                $0.headIndent = 36
                $0.firstLineHeadIndent = 18
                $0.tailIndent = -18
            },
            layout {
                $0.tabStops = [
                    TabStop(location: 36), TabStop(location: 72, alignment: .center),
                    TabStop(location: 144, alignment: .right, leader: .dots),
                ]
                $0.lineHeightMultiple = 1.5
                $0.paragraphSpacingBefore = 0
                $0.paragraphSpacing = 7
            },
        ])

    private static let libreOfficeHTML = ProgramSample(
        program: "LibreOffice Writer, HTML",
        source: """
            <!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/>
            	<style type="text/css">p { line-height: 115%; margin-bottom: 0.1in; background: transparent }</style></head>
            <body lang="en-US" dir="ltr"><p style="line-height: 100%; margin-left: 0.5in; margin-right: 0.25in; \
            text-indent: -0.25in; margin-bottom: 0in">
            <font face="Liberation Serif, serif">indented</font></p>
            <p align="justify" style="line-height: 0.28in; margin-top: 0.17in; margin-bottom: 0.11in">
            x<sup><font face="Liberation Serif, serif">2</font></sup></p>
            </body></html>
            """,
        texts: ["indented", "x2"],
        layouts: [
            layout {
                $0.headIndent = 36
                $0.firstLineHeadIndent = 18
                $0.tailIndent = -18
                $0.lineHeightMultiple = 1
                $0.paragraphSpacing = 0
            },
            layout {
                $0.minimumLineHeight = 20.16
                $0.paragraphSpacingBefore = 12.24
                $0.paragraphSpacing = 7.92
            },
        ])

    private static let googleDocs = ProgramSample(
        program: "Google Docs",
        source: """
            <meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-0"><p dir="ltr" \
            style="line-height:1.38;margin-left: 36pt;text-indent: 36pt;margin-top:0pt;margin-bottom:10pt;"><span \
            style="font-size:11pt;vertical-align:baseline;white-space:pre-wrap;">E=mc</span><span style="font-size:11pt;\
            vertical-align:baseline;white-space:pre-wrap;"><span style="font-size:0.6em;vertical-align:super;">2</span>\
            </span></p></b>
            """,
        texts: ["E=mc2"],
        layouts: [
            layout {
                $0.headIndent = 36
                $0.firstLineHeadIndent = 72
                $0.lineHeightMultiple = 1.38
                $0.paragraphSpacingBefore = 0
                $0.paragraphSpacing = 10
            }
        ])
}
