import RichText
import Testing

@Suite struct SamplesTests {
    @Test("HTML that programs copy gives its text", arguments: ClipboardSample.html)
    func html(sample: ClipboardSample) {
        #expect(String(decoding: RichText.plainText(fromHTML: sample.bytes), as: UTF8.self) == sample.text)
    }

    @Test("RTF that programs copy gives its text", arguments: ClipboardSample.rtf)
    func rtf(sample: ClipboardSample) throws {
        let text = try #require(RichText.plainText(fromRTF: sample.bytes))
        #expect(String(decoding: text, as: UTF8.self) == sample.text)
    }
}

/// Markup as real programs put it on the clipboard, with text of our own.
struct ClipboardSample: Sendable, CustomTestStringConvertible {
    let program: String
    let source: String
    let text: String

    var testDescription: String { program }
    var bytes: [UInt8] { Array(source.utf8) }

    static let html: [ClipboardSample] = [chrome, chromeEditor, firefox, word, libreOffice, sheet, googleDocs, mail]
    static let rtf: [ClipboardSample] = [textEdit, textEditList, wordRTF, libreOfficeRTF, wordPad]

    private static let chrome = ClipboardSample(
        program: "Chrome, a selection in a page",
        source: """
            <meta charset='utf-8'><span style="color: rgb(32, 33, 34); font-family: sans-serif; font-size: 16px; \
            font-style: normal; font-variant-ligatures: normal; font-weight: 400; letter-spacing: normal; orphans: 2; \
            text-align: start; text-indent: 0px; text-transform: none; widows: 2; word-spacing: 0px; \
            -webkit-text-stroke-width: 0px; white-space: normal; background-color: rgb(255, 255, 255); \
            text-decoration-thickness: initial; display: inline !important; float: none;">A pasteboard holds<span>\
            &nbsp;</span></span><a href="https://example.org/items" style="color: rgb(51, 102, 204); \
            text-decoration: none; white-space: normal;">items</a><span style="white-space: normal; \
            display: inline !important; float: none;"><span> </span>in order.</span>
            """,
        text: "A pasteboard holds items in order.")

    private static let chromeEditor = ClipboardSample(
        program: "A code editor built on Chrome",
        source: """
            <meta charset='utf-8'><div style="color: #cccccc;background-color: #1f1f1f;font-family: 'Droid Sans Mono', \
            'monospace', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div>\
            <span style="color: #c586c0;">if</span><span style="color: #cccccc;"> a &lt; b {</span></div><div>\
            <span style="color: #cccccc;">    return</span></div><br><div><span style="color: #cccccc;">}</span></div>\
            </div>
            """,
        text: "if a < b {\n    return\n\n}")

    private static let firefox = ClipboardSample(
        program: "Firefox, a heading and a list",
        source: """
            <meta http-equiv="content-type" content="text/html; charset=utf-8"><h2 id="x"><span \
            class="headline">Types</span>
            </h2>
            <p>Each has
            a <b>name</b>.</p>
            <ul><li>one</li>
            <li>two
            <ol><li>three</li></ol></li></ul>
            """,
        text: "Types\n\nEach has a name.\n\n• one\n• two\n    1. three")

    private static let word = ClipboardSample(
        program: "Word",
        source: """
            <html xmlns:o="urn:schemas-microsoft-com:office:office"
            xmlns="http://www.w3.org/TR/REC-html40">

            <head>
            <meta http-equiv=Content-Type content="text/html; charset=utf-8">
            <meta name=Generator content="Microsoft Word 15">
            <!--[if gte mso 9]><xml>
             <o:OfficeDocumentSettings>
              <o:AllowPNG/>
             </o:OfficeDocumentSettings>
            </xml><![endif]-->
            <style>
            <!--
             /* Style Definitions */
             p.MsoNormal, li.MsoNormal
            	{mso-style-unhide:no;
            	font-family:"Calibri",sans-serif;}
            -->
            </style>
            </head>

            <body lang=EN-GB style='tab-interval:36.0pt'>
            <!--StartFragment-->

            <p class=MsoNormal><b>Dear reader</b>,<o:p></o:p></p>

            <p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
            style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;
            </span></span></span><![endif]>a point</p>

            <!--EndFragment-->
            </body>

            </html>
            """,
        text: "Dear reader,\n\n·  a point")

    private static let libreOffice = ClipboardSample(
        program: "LibreOffice Writer",
        source: """
            <!DOCTYPE html>
            <html>
            <head>
            	<meta http-equiv="content-type" content="text/html; charset=utf-8"/>
            	<title></title>
            	<style type="text/css">
            		p { line-height: 115%; margin-bottom: 0.25cm; background: transparent }
            	</style>
            </head>
            <body lang="en-GB" link="#000080" vlink="#800000" dir="ltr"><p style="line-height: 100%; margin-bottom: 0cm"
            >
            First <i>line</i><br/>
            second line</p>
            <p><font color="#ff0000">Red</font></p>
            </body>
            </html>
            """,
        text: "First line\nsecond line\n\nRed")

    private static let sheet = ClipboardSample(
        program: "A spreadsheet",
        source: """
            <html><head><meta name=ProgId content=Excel.Sheet></head><body link="#0563C1">
            <table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:collapse;width:96pt'>
            <!--StartFragment-->
             <col width=64 span=2 style='width:48pt'>
             <tr height=20 style='height:15.0pt'>
              <td height=20 width=64 style='height:15.0pt;width:48pt'>Name</td>
              <td width=64 style='width:48pt'>Count</td>
             </tr>
             <tr height=20>
              <td height=20>Äpfel</td>
              <td align=right>3</td>
             </tr>
            <!--EndFragment-->
            </table></body></html>
            """,
        text: "Name\tCount\nÄpfel\t3")

    private static let googleDocs = ClipboardSample(
        program: "Google Docs",
        source: """
            <meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-0"><p dir="ltr" \
            style="line-height:1.38;margin-top:0pt;"><span style="font-size:11pt;font-family:Arial,sans-serif;\
            font-weight:700;white-space:pre;white-space:pre-wrap;">Bold</span><span style="font-size:11pt;\
            white-space:pre;white-space:pre-wrap;">  and not</span></p><br /><p dir="ltr"><span \
            style="white-space:pre-wrap;">End</span></p></b><br class="Apple-interchange-newline">
            """,
        text: "Bold  and not\n\n\n\nEnd\n")

    private static let mail = ClipboardSample(
        program: "A mail composed in a page",
        source: """
            <div dir="ltr"><div>Hello,</div><div><br></div><div>see&nbsp;below.<br></div><div><br></div>\
            <blockquote type="cite"><div>&gt; quoted</div></blockquote></div>
            """,
        text: "Hello,\n\nsee below.\n\n> quoted")

    private static let textEdit = ClipboardSample(
        program: "TextEdit",
        source: #"""
            {\rtf1\ansi\ansicpg1252\cocoartf2761
            \cocoatextscaling0\cocoaplatform0
            {\fonttbl\f0\fswiss\fcharset0 Helvetica;\f1\fswiss\fcharset0 Helvetica-Bold;}
            {\colortbl;\red255\green255\blue255;\red251\green2\blue7;}
            {\*\expandedcolortbl;;\cssrgb\c100000\c14913\c0;}
            \pard\tx720\tx1440\pardirnatural\partightenfactor0

            \f0\fs24 \cf0 Plain 
            \f1\b bold
            \f0\b0  and \cf2 red\cf0 \
            caf\'e9 \uc0\u8212  \u55357 \u56832 \
            }
            """#,
        text: "Plain bold and red\ncafé — 😀\n")

    private static let textEditList = ClipboardSample(
        program: "TextEdit, a list",
        source: #"""
            {\rtf1\ansi\ansicpg1252\cocoartf2761
            {\fonttbl\f0\fswiss\fcharset0 Helvetica;}
            {\colortbl;\red255\green255\blue255;}
            {\*\listtable{\list\listtemplateid1\listhybrid
            {\listlevel\levelnfc23\levelnfcn23\leveljc0\leveljcn0\levelfollow0\levelstartat1\levelspace360
            \levelindent0{\*\levelmarker \{disc\}}{\leveltext\leveltemplateid1\'01\uc0\u8226 ;}
            {\levelnumbers;}\fi-360\li720\lin720 }{\listname ;}\listid1}}
            {\*\listoverridetable{\listoverride\listid1\listoverridecount0\ls1}}
            \pard\tx220\tx720\li720\fi-720\pardirnatural\partightenfactor0
            \ls1\ilvl0
            \f0\fs24 \cf0 {\listtext	\uc0\u8226 	}one\
            {\listtext	\uc0\u8226 	}two}
            """#,
        text: "\t•\tone\n\t•\ttwo")

    private static let wordRTF = ClipboardSample(
        program: "Word",
        source: #"""
            {\rtf1\adeflang1025\ansi\ansicpg1252\uc1\adeff31507\deff0\stshfdbch31506\stshfloch31506\deflang2057
            {\fonttbl{\f0\fbidi \froman\fcharset0\fprq2{\*\panose 02020603050405020304}Times New Roman;}
            {\f3\fbidi \froman\fcharset2\fprq2{\*\panose 05050102010706020507}Symbol;}
            {\flomajor\f31500\fbidi \froman\fcharset0\fprq2{\*\panose 02020603050405020304}Times New Roman;}
            {\fhiminor\f31506\fbidi \fswiss\fcharset0\fprq2{\*\panose 020f0502020204030204}Calibri;}}
            {\colortbl;\red0\green0\blue0;\red0\green0\blue255;}{\*\defchp \f31506\fs22 }{\stylesheet
            {\ql \li0\ri0\widctlpar \snext0 Normal;}{\*\cs10 \additive Default Paragraph Font;}}
            {\*\listtable{\list\listtemplateid1{\listlevel\levelnfc23{\leveltext\'01\u-3913 ?;}
            {\levelnumbers;}\f3\fi-360\li720 }\listid5}}{\*\listoverridetable
            {\listoverride\listid5\listoverridecount0\ls1}}
            {\*\rsidtbl \rsid1}{\mmathPr\mmathFont34}{\info{\author A. Writer}{\operator A. Writer}{\version1}}
            \paperw11906\paperh16838 {\*\pnseclvl1\pnucrm\pnstart1{\pntxta .}}
            \pard\plain \ltrpar\ql \li0\ri0\sa160\sl259\slmult1\widctlpar \rtlch\fcs1 \af31507\afs22\alang1025 
            \ltrch\fcs0 \f31506\fs22\lang2057 {\rtlch\fcs1 \ab\af31507 \ltrch\fcs0 \b\insrsid1 Dear reader}
            {\rtlch\fcs1 \af31507 \ltrch\fcs0 \insrsid1 , it\rquote s}{\rtlch\fcs1 \af31507 \ltrch\fcs0 \insrsid1
            \par 
            {\listtext\pard\plain\ltrpar \rtlch\fcs1 \af31507 \ltrch\fcs0 \f3\insrsid1 \loch\af3\dbch\af31506
            \hich\f3 \'b7\tab}}\pard \ltrpar\ql \fi-360\li720\sa160\ls1\itap0 {\field\fldedit{\*\fldinst 
            {\rtlch\fcs1 \af31507 \ltrch\fcs0 \insrsid1  HYPERLINK "https://example.org/" }}{\fldrslt 
            {\rtlch\fcs1 \af31507 \ltrch\fcs0 \cs15\ul\cf2\insrsid1 a link}}}\sectd \ltrsect 
            {\rtlch\fcs1 \af31507 \ltrch\fcs0 \insrsid1  \u8364\'80
            \par }{\*\themedata 504b0304}{\*\latentstyles\lsdstimax376{\lsdlockedexcept \lsdqformat1 Normal;}}}
            """#,
        text: "Dear reader, it’s\n•\ta link €")

    private static let libreOfficeRTF = ClipboardSample(
        program: "LibreOffice Writer",
        source: #"""
            {\rtf1\ansi\deff4\adeflang1025
            {\fonttbl{\f0\froman\fprq2\fcharset0 Times New Roman;}{\f1\froman\fprq2\fcharset2 Symbol;}
            {\f4\froman\fprq0\fcharset0 Liberation Serif{\*\falt Times New Roman};}}
            {\colortbl;\red0\green0\blue0;\red201\green33\blue30;}
            {\stylesheet{\s0\snext0\ql\nowidctlpar\hich\af0\dbch\af6\f4\fs24\lang1033 Default Paragraph Style;}
            {\s15\sbasedon0\snext16\ql\sb240\sa120\keepn\f5\fs28 Heading;}}
            {\*\generator LibreOffice/24.2.7.2$Linux_X86_64 LibreOffice_project/0}{\info
            {\creatim\yr2024\mo1\dy1\hr1\min1}}{\*\userprops}\deftab709
            \hyphauto1\viewscale100
            {\*\pgdsctbl
            {\pgdsc0\pgdscuse451\pgwsxn12240\pghsxn15840 Default Page Style;}}
            \formshade\paperh15840\paperw12240
            \pgndec\pard\plain \s0\ql\nowidctlpar\f4\fs24\lang1033\rtlch \ltrch\loch
            Erste {\b\cf2\ab\rtlch \ltrch\loch Zeile}{\hich\af4\dbch\af6\loch\f4 \u228\'e4\u246\'f6}
            \par \pard\plain \s0\ql\nowidctlpar\f4\fs24{\hich\af4\dbch\af6\loch\f4 second}\line{\loch line}
            \par }
            """#,
        text: "Erste Zeileäö\nsecond\nline")

    private static let wordPad = ClipboardSample(
        program: "WordPad",
        source: #"""
            {\rtf1\ansi\ansicpg1251\deff0\nouicompat\deflang1049{\fonttbl{\f0\fnil\fcharset0 Calibri;}
            {\f1\fnil\fcharset204 Calibri;}}
            {\*\generator Riched20 10.0.19041}\viewkind4\uc1 
            \pard\sa200\sl276\slmult1\f0\fs22\lang9 Hi \f1\lang1049\'ec\'e8\'f0\f0\lang9\par
            \par
            bye\par
            }
            """# + "\0",
        text: "Hi мир\n\nbye")
}
