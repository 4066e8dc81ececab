package message

// chineseOfDocs returns the Chinese formats of documents and their formats.
func chineseOfDocs() entries {
	return entries{
		// docs
		"to index it, put the line !%s/ in a .vademecumignore next to it": "在它旁边的 .vademecumignore 中写一行 !%s/，就会索引它",
		"made by a machine: %s": "机器生成：%s",
		"the folder does not respond: ask again when its drive or network does": "文件夹没有响应：等硬盘或网络恢复后再试",
		"the file of an index": "索引文件",
		"not a regular file":   "不是普通文件",
		"the folder %s is not there: connect its drive or network or, if it was moved, set its new path in the configuration of this server; then ask again":                "文件夹 %s 不在：请接上它的硬盘或网络；若已移动，请在此服务器的设置中改为新路径；然后再问",
		"the folder %s is %v: its drive seems not to be mounted: mount it or, if the folder should be empty, put any file into it; then ask again":                          "文件夹 %[1]s 是空的：它的硬盘似乎没有挂载：请挂载；若文件夹本该为空，请放入任意一个文件；然后再问",
		"the folder %s cannot be read (%v): allow the program that starts this one to read it under System Settings, Privacy & Security, Files and Folders; then ask again": "无法读取文件夹 %s（%v）：请在“系统设置”的“隐私与安全性”的“文件和文件夹”中允许启动本程序的程序读取；然后再问",
		"the folder %s cannot be read (%v): give your user permission to read it, then ask again":                                                                           "无法读取文件夹 %s（%v）：请让你的用户可以读取，然后再问",
		"the folder %s cannot be read (%v): check its drive or network, then ask again":                                                                                     "无法读取文件夹 %s（%v）：请检查它的硬盘或网络，然后再问",
		"the folder cannot be opened: permission denied":                                                                                                                    "无法打开该文件夹：没有权限",
		"file name is not valid UTF-8":                                               "文件名不是有效的 UTF-8",
		"symbolic link within the folder, not followed":                              "指向文件夹内部的符号链接，不跟随",
		"symbolic link out of the folder, not followed":                              "指向文件夹外部的符号链接，不跟随",
		"pages still to be recognised: %d":                                           "尚待识别的页数：%d",
		"the text of 1 page was recognised from its picture (about %d %% sure)":      "有 1 页的文字由图像识别得到（把握约 %d%%）",
		"the text of %d pages was recognised from their pictures (about %d %% sure)": "有 %d 页的文字由图像识别得到（把握约 %d%%）",
		"1 scanned page yields no text: %v":                                          "1 页扫描件没有得到文字：%v",
		"%d scanned pages yield no text; the reason for the last one: %v":            "%d 页扫描件没有得到文字，其中最后一页的原因：%v",
		"only the first %d of %d scanned pages are recognised":                       "扫描件共 %[2]d 页，只识别前 %[1]d 页",
		"there is no heading %s: it has no headings":                                 "没有标题 %s：它没有标题",
		"; and %d more":                                           "；以及另外 %d 个",
		"there is no heading %s: there are %s%v":                  "没有标题 %s；现有：%s%v",
		"%s leads to %s now":                                      "%s 现在指向 %s",
		"%s leads nowhere now":                                    "%s 现在不指向任何地方",
		"watching failed: %v":                                     "监视失败：%v",
		"the folder has more files than this system can watch":    "文件夹中的文件多于本系统能监视的数量",
		"watch %s: %v":                                            "监视 %s：%v",
		"the system's limit of watches is reached":                "已达到系统的监视数量上限",
		"the system's limit of open files or watchers is reached": "已达到系统的打开文件或监视器数量上限",

		// docs/extract
		"the rest could not be read: %v": "其余部分无法读取：%v",
		"only pages 1 to %d of %d: %v":   "共 %[2]d 页，只读取了第 1–%[1]d 页：%[3]v",
		"larger than 50 MB":              "大于 50 MB",
		"more than 32 MB of text":        "文字超过 32 MB",
		"unpacks to more than 256 MB":    "解压后超过 256 MB",
		"more than 20000 files inside":   "内含超过 20000 个文件",
		"nested too deeply":              "嵌套过深",
		"empty":                          "空文件",
		"contains no text":               "不含文字",
		"contains only pictures, no text: save them as image files so that their text can be recognised": "只含图片，不含文字：请将图片另存为图片文件，以便识别",
		"password needed":                          "需要密码",
		"damaged zip":                              "已损坏的 zip",
		"pages %d-%d":                              "第 %d–%d 页",
		"page %d could not be read completely":     "第 %d 页未能完整读取",
		"%d pages could not be read completely":    "%d 页未能完整读取",
		"slides %d-%d":                             "第 %d–%d 张幻灯片",
		"slide %d could not be read completely":    "第 %d 张幻灯片未能完整读取",
		"%d slides could not be read completely":   "%d 张幻灯片未能完整读取",
		"sheet %d":                                 "第 %d 个工作表",
		"sheets %d-%d":                             "第 %d–%d 个工作表",
		"sheet %d could not be read completely":    "第 %d 个工作表未能完整读取",
		"%d sheets could not be read completely":   "%d 个工作表未能完整读取",
		"chapter %d":                               "第 %d 章",
		"chapters %d-%d":                           "第 %d–%d 章",
		"chapter %d could not be read completely":  "第 %d 章未能完整读取",
		"%d chapters could not be read completely": "%d 章未能完整读取",
		"cell %d":                               "第 %d 个单元格",
		"cells %d-%d":                           "第 %d–%d 个单元格",
		"cell %d could not be read completely":  "第 %d 个单元格未能完整读取",
		"%d cells could not be read completely": "%d 个单元格未能完整读取",
		"note %d":                               "第 %d 条笔记",
		"notes %d-%d":                           "第 %d–%d 条笔记",
		"note %d could not be read completely":  "第 %d 条笔记未能完整读取",
		"%d notes could not be read completely": "%d 条笔记未能完整读取",
		"line %d":                               "第 %d 行",
		"lines %d-%d":                           "第 %d–%d 行",
		"row %d":                                "第 %d 行",
		"rows %d-%d":                            "第 %d–%d 行",
		"contact %d":                            "第 %d 位联系人",
		"contacts %d-%d":                        "第 %d–%d 位联系人",
		"contact %d could not be read completely":  "第 %d 位联系人未能完整读取",
		"%d contacts could not be read completely": "%d 位联系人未能完整读取",
		"event %d":                                 "第 %d 项日程",
		"events %d-%d":                             "第 %d–%d 项日程",
		"event %d could not be read completely":    "第 %d 项日程未能完整读取",
		"%d events could not be read completely":   "%d 项日程未能完整读取",
		"message %d":                               "第 %d 封邮件",
		"messages %d-%d":                           "第 %d–%d 封邮件",
		"message %d could not be read completely":  "第 %d 封邮件未能完整读取",
		"%d messages could not be read completely": "%d 封邮件未能完整读取",

		// docs/extract/anki
		"damaged Anki file": "已损坏的 Anki 文件",

		// docs/extract/archive
		"its name is too long":                   "文件名过长",
		"unpacks to more than %d times its size": "解压后超过其大小的 %d 倍",
		"unknown compression method":             "压缩方式未知",
		"the archive %v":                         "压缩包%v",

		// docs/extract/cfb
		"damaged compound file": "已损坏的复合文件",

		// docs/extract/charset
		"not text, or in an unknown encoding":                          "不是文字，或编码未知",
		"%d bytes or characters that cannot be decoded are shown as �": "%d 个字节或字符无法解码，显示为 �",
		"not text: it contains NUL bytes, the first in line %d":        "不是文字：含有 NUL 字节，第一个在第 %d 行",

		// docs/extract/chm
		"damaged CHM": "已损坏的 CHM",

		// docs/extract/dicom
		"DICOM file that is not a report, such as an image: save any text in it as PDF": "不是报告的 DICOM 文件，如图像：其中如有文字，请另存为 PDF",
		"damaged DICOM report": "已损坏的 DICOM 报告",

		// docs/extract/djvu
		"damaged DjVu":                "已损坏的 DjVu",
		"scanned DjVu: no text layer": "扫描的 DjVu，没有文字层",
		"DjVu whose pages are separate files: save it as a single file": "各页为单独文件的 DjVu：请另存为一个文件",
		"1 of %d pages has no text (scanned)":                           "%d 页中有 1 页没有文字（扫描件）",
		"%d of %d pages have no text (scanned)":                         "%[2]d 页中有 %[1]d 页没有文字（扫描件）",

		// docs/extract/doc
		"damaged Word document":                             "已损坏的 Word 文档",
		"not a Word document, or damaged: save it as .docx": "不是 Word 文档，或已损坏：请另存为 .docx",
		"old Word format (%s): save it as .docx":            "旧的 Word 格式（%s）：请另存为 .docx",

		// docs/extract/drawing
		"more than 100000 shapes": "超过 100000 个图形",
		"damaged drawing":         "已损坏的图表",
		"damaged JSON":            "已损坏的 JSON",

		// docs/extract/enex
		"damaged Evernote export":                  "已损坏的 Evernote 导出文件",
		"%d notes after the first %d are not read": "前 %[2]d 条之后的 %[1]d 条笔记没有读取",

		// docs/extract/epub
		"%s: protected by DRM": "%s：受 DRM 保护",

		// docs/extract/fb2
		"damaged book": "已损坏的电子书",

		// docs/extract/heic
		"HEIC picture: no program to convert it is installed (heif-convert or ImageMagick)": "HEIC 图片：没有安装能转换它的程序（heif-convert 或 ImageMagick）",
		"%s did not convert it to a picture":                                                "%s 没有转换出图片",

		// docs/extract/iwork
		"damaged: %d of the files inside could not be read completely": "已损坏：其中 %d 个文件未能完整读取",
		"damaged iWork document":                     "已损坏的 iWork 文档",
		"more than 1000000 objects":                  "超过 1000000 个对象",
		"only the preview inside could be read (%v)": "只能读取其中的预览（%v）",

		// docs/extract/joplin
		"damaged Joplin export":                                "已损坏的 Joplin 导出文件",
		"part of a Joplin export, not a note":                  "Joplin 导出文件的一部分，不是笔记",
		"encrypted notes or notebooks, which are not read: %d": "因加密而没有读取的笔记或笔记本：%d 个",

		// docs/extract/mail
		"damaged mail": "已损坏的邮件",

		// docs/extract/mindmap
		"more than 100000 topics": "超过 100000 个主题",
		"damaged mind map":        "已损坏的思维导图",
		"damaged outline":         "已损坏的大纲",
		"1 topic is encrypted":    "1 个主题已加密",
		"%d topics are encrypted": "%d 个主题已加密",

		// docs/extract/mobi
		"Kindle book in an unsupported format (Topaz or KFX): convert it to EPUB": "不支持的 Kindle 电子书格式（Topaz 或 KFX）：请转换为 EPUB",

		// docs/extract/notebook
		"damaged notebook": "已损坏的笔记本",

		// docs/extract/odf
		"sheet %q is read only to row %d":                                          "工作表 %q 只读取到第 %d 行",
		"sheet %q has identical rows or cells, of which only %d in a row are read": "工作表 %q 有相同的行或单元格，连续的只读取 %d 个",

		// docs/extract/pdf
		"there is no page %d: it has %d":                     "没有第 %d 页：共 %d 页",
		"page %d cannot be shown as an image: it is damaged": "无法画出第 %d 页：已损坏",
		"the page cannot be shown as an image: the file does not contain the fonts of its Chinese, Japanese or Korean characters": "无法画出此页：文件里没有其中日韩文字的字体",
		"damaged PDF":                "已损坏的 PDF",
		"unknown encryption method":  "加密方式未知",
		"scanned PDF: no text layer": "扫描的 PDF，没有文字层",
		"no readable text: its fonts do not say which characters they contain": "没有可读的文字：字体没有说明所含的字符",
		"the rest is damaged": "其余部分已损坏",
		"form that only Adobe Acrobat can display (XFA): print it to a PDF":              "只有 Adobe Acrobat 能显示的表单（XFA）：请打印成 PDF",
		"form that only Adobe Acrobat can display (XFA): its text and values are read":   "只有 Adobe Acrobat 能显示的表单（XFA）：读取了其中的文字和填写的值",
		"%d of %d pages has no text (scanned)":                                           "%[2]d 页中有 %[1]d 页没有文字（扫描件）",
		"%d of %d pages has hardly any text on an image (scanned)":                       "%[2]d 页中有 %[1]d 页是几乎没有文字的图像（扫描件）",
		"%d of %d pages have hardly any text on an image (scanned)":                      "%[2]d 页中有 %[1]d 页是几乎没有文字的图像（扫描件）",
		"%d of %d pages is damaged":                                                      "%[2]d 页中有 %[1]d 页已损坏",
		"%d of %d pages are damaged":                                                     "%[2]d 页中有 %[1]d 页已损坏",
		"%d of %d pages cannot be read: the fonts do not say which characters they hold": "%[2]d 页中有 %[1]d 页无法读取：字体没有说明所含的字符",

		// docs/extract/picture
		"the picture is too large (%d × %d pixels)":        "图片太大（%d × %d 像素）",
		"the picture is damaged or of an unsupported type": "图片已损坏，或属于不支持的类型",
		"too small to contain a page of text":              "太小，不像一页文字",

		// docs/extract/ppt
		"damaged PowerPoint presentation":              "已损坏的 PowerPoint 演示文稿",
		"old PowerPoint format (%s): save it as .pptx": "旧的 PowerPoint 格式（%s）：请另存为 .pptx",

		// docs/extract/pptx
		"there is no slide %d: it has %d":                  "没有第 %d 张幻灯片：共 %d 张",
		"there is no picture on slide %d: read it as text": "第 %d 张幻灯片上没有图片：请以文字读取",

		// docs/extract/rtf
		"damaged RTF": "已损坏的 RTF",

		// docs/extract/schema
		"damaged XML": "已损坏的 XML",

		// docs/extract/sheet
		"hidden sheets are not read: %s":                                    "隐藏的工作表不读取：%s",
		"hidden rows or columns are not read, in: %s":                       "隐藏的行或列不读取，所在工作表：%s",
		"all text is in hidden sheets, rows or columns, which are not read": "所有文字都在隐藏的工作表、行或列中，不读取",

		// docs/extract/spreadsheetml
		"damaged spreadsheet":     "已损坏的表格",
		"sheet %q is damaged: %v": "工作表 %q 已损坏：%v",

		// docs/extract/xls
		"old Excel format (%s): save it as .xlsx": "旧的 Excel 格式（%s）：请另存为 .xlsx",
		"the text of some cells is damaged":       "部分单元格文字已损坏",

		// docs/extract/xlsx
		"the number formats are damaged": "数字格式已损坏",

		// docs/extract/zipxml
		"a part is missing": "缺少一部分",

		// docs/formats
		"an archive within the archive":                  "压缩包中的压缩包",
		"zip archive in which no document could be read": "zip 压缩包：其中没有可读取的文档",
		"%v: %v":                 "%v：%v",
		"%v; and 1 other file":   "%v；另有 1 个文件",
		"%v; and %d other files": "%v；另有 %d 个文件",
		"damaged":                "已损坏",
		"%v, and scans attached to mail are not recognised: save them as files": "%v；邮件附件中的扫描件不做识别，请另存为文件",
		"%v, and scans in an archive are not recognised: unpack it":             "%v；压缩包中的扫描件不做识别，请解压",
		"%s (%v)":                                                     "%s（%v）",
		"1 file in it is not a document":                              "其中 1 个文件不是文档",
		"%d files in it are not documents":                            "其中 %d 个文件不是文档",
		"not read, or not completely: %v":                             "未读取或未完整读取：%v",
		"not read, or not completely: %v; and 1 other file":           "未读取或未完整读取：%v；另有 1 个文件",
		"not read, or not completely: %v; and %d other files":         "未读取或未完整读取：%v；另有 %d 个文件",
		"the picture is damaged: what comes after page %d is missing": "图片已损坏：第 %d 页之后的内容缺失",
		"its pages cannot be shown as images":                         "它的页面没有固定的版面",
		"documents attached to it are not read: %s and %d others":     "附件中的文档没有读取：%s 及另外 %d 个",
		"documents attached to it are not read: %s":                   "附件中的文档没有读取：%s",
		"old Office format: save it as .docx, .xlsx or .pptx":         "旧的 Office 格式：请另存为 .docx、.xlsx 或 .pptx",
		"a private key":        "私钥",
		"a public key":         "公钥",
		"a certificate":        "证书",
		"an encrypted message": "加密的消息",
		"a zip archive":        "zip 压缩包",
		"unsupported Excel format (%s): save it as .xlsx":            "不支持的 Excel 格式（%s）：请另存为 .xlsx",
		"Kindle book (%s): convert it to EPUB":                       "Kindle 电子书（%s）：请转换为 EPUB",
		"unsupported format (%s): convert it to PDF":                 "不支持的格式（%s）：请转换为 PDF",
		"AutoCAD drawing (%s): export it as PDF":                     "AutoCAD 图纸（%s）：请导出为 PDF",
		"Outlook mailbox (%s): save its mails as .eml files":         "Outlook 邮箱（%s）：请将邮件另存为 .eml 文件",
		"picture (%s): export it as PDF to make its text searchable": "图片（%s）：若要查找其中的文字，请导出为 PDF",
		"OneNote notebook (%s): export its pages as PDF or .docx":    "OneNote 笔记本（%s）：请将页面导出为 PDF 或 .docx",
		"old OpenOffice format (%s): save it as .odt, .ods or .odp":  "旧的 OpenOffice 格式（%s）：请另存为 .odt、.ods 或 .odp",
		"OpenDocument drawing (%s): export it as PDF":                "OpenDocument 绘图（%s）：请导出为 PDF",
		"Visio drawing (%s): export it as PDF":                       "Visio 绘图（%s）：请导出为 PDF",
		"XPS document (%s): convert it to PDF":                       "XPS 文档（%s）：请转换为 PDF",
		"Hangul document (%s): save it as .docx or PDF":              "Hangul 文档（%s）：请另存为 .docx 或 PDF",
		"Google document in the cloud, of which this is only a link (%s): save it with File › Download in Google Docs, as .docx, .xlsx, .pptx or PDF": "Google 云端文档，此处只有链接（%s）：请在 Google 文档中用“文件”›“下载”存为 .docx、.xlsx、.pptx 或 PDF",
		"file in iCloud that is not on this machine (%s): use Download Now in the Finder":                                                             "文件在 iCloud 中，不在本机（%s）：请在“访达”中选择“现在下载”",
		"not a text format (%s)":                                 "非文字格式（%s）",
		"Publisher document (%s): export it as PDF":              "Publisher 文档（%s）：请导出为 PDF",
		"OneNote section (%s): export its pages as PDF or .docx": "OneNote 分区（%s）：请将页面导出为 PDF 或 .docx",
		"dBase table (%s): save it as .csv or .xlsx":             "dBase 表（%s）：请另存为 .csv 或 .xlsx",
		"WordPerfect document (%s): save it as .docx":            "WordPerfect 文档（%s）：请另存为 .docx",

		// docs/formats/child
		"the child process that reads documents did not start":                   "读取文档的子进程没有启动",
		"the file of this program was replaced while it was running: restart it": "程序文件在运行时被替换：请重新启动",
		"the engine that reads %s did not start within %v":                       "读取 %s 的程序在 %v 内没有启动",
		"reading took too long":              "读取时间过长",
		"takes too long to read (over %v s)": "读取时间过长（超过 %v 秒）",
		"the machine is too busy: the reader of %s got only %v of CPU time in %v":          "机器太忙：%s 的读取程序在 %[3]v 中只得到 %[2]v 的处理器时间",
		"the rest takes too much memory to read":                                           "其余部分读取占用内存过多",
		"takes too much memory to read":                                                    "读取占用内存过多",
		"the system ended the process that was reading it, perhaps because memory ran out": "系统结束了读取它的进程，可能因内存不足",
		"damaged: the reader of %s failed":                                                 "已损坏：%s 的读取程序出错",

		// docs/generated
		"lock file":      "锁文件",
		"list of tags":   "标签列表",
		"source map":     "源码映射",
		"search index":   "搜索索引",
		"minified code":  "压缩过的代码",
		"bundled code":   "打包后的代码",
		"generated code": "生成的代码",

		// docs/ignore
		"pattern %s in %s, line %d":                    "%[2]s 第 %[3]d 行的规则 %[1]s",
		"hidden: its name begins with a dot":           "隐藏：名称以点开头",
		"folder filled by a program":                   "由程序填充的文件夹",
		"temporary file of a program or of the system": "程序或系统的临时文件",
		"device, pipe or socket":                       "设备、管道或套接字",
		"part of an index of vademecum":                "属于 vademecum 的索引",

		// docs/kind
		"mostly links":                  "链接列表",
		"a change log":                  "更新日志",
		"a licence":                     "许可证",
		"a bibliography":                "参考文献",
		"a pointer to another document": "指向另一文档的页面",
		"made by a machine":             "机器生成的内容",

		// docs/meta
		"after %s":  "%s 及以后",
		"before %s": "%s 及以前",
		"must be tags such as project or recipes/soup":                              "必须是标签，如 project 或 recipes/soup",
		"must be KEY=VALUE, a front matter key and its value, such as status=draft": "必须是 KEY=VALUE，即 front matter 的键和值，例如 status=draft",
		"a date such as 2024, 2024-11 or 2024-11-05":                                "日期，如 2024、2024-11 或 2024-11-05",

		// docs/ocr
		"the language %s of tesseract is not installed; installed are: %s": "tesseract 的语言 %s 没有安装；已安装的有：%s",
		"tesseract has no language installed":                              "tesseract 没有安装任何语言",
		"tesseract is not installed":                                       "没有安装 tesseract",
		"tesseract timed out because it got almost no CPU time":            "tesseract 的时间已到，却几乎没有得到处理器时间",
		"there is no text recognition program %s":                          "没有可用来识别文字的程序 %s",
		"%s is not tesseract: it reports no version":                       "%s 不是 tesseract：没有说明版本",
		"tesseract %s is too old: version %d or later is needed":           "tesseract %s 太旧：需要 %d 或更高的版本",
		"tesseract returned no word table":                                 "tesseract 没有写出词语表",
		"tesseract returned a damaged word table":                          "tesseract 写出的词语表已损坏",
		"no text was recognised":                                           "没有识别出文字",
		"the recognised text is too uncertain (%d %%)":                     "识别结果太不可靠（%d%%）",

		// docs/text
		"there is no text on %s %d: the last with text is %d":      "第 %[2]d 页（或张、章）没有文字，最后有文字的是第 %[3]d 页",
		"there is no %s: give a number, as in %s, or a name: %s%v": "没有 %s：应为编号，如 %s，或名称：%s%v",
		"%v, %v to %v, %v": "%v %v 至%v %v",
		"%v (%s)":          "%v（%s）",
		"%s, %s":           "%s %s",

		// the system
		"permission denied":                          "没有权限",
		"operation not permitted":                    "没有权限",
		"Access is denied.":                          "没有权限",
		"no such file or directory":                  "没有这样的文件或文件夹",
		"file does not exist":                        "没有这样的文件或文件夹",
		"The system cannot find the file specified.": "没有这样的文件或文件夹",
		"The system cannot find the path specified.": "没有这样的文件或文件夹",
		"context deadline exceeded":                  "超时",
		"unexpected EOF":                             "内容在中途结束",
		"input/output error":                         "读写错误",
		"too many open files":                        "打开的文件过多",
		"no space left on device":                    "磁盘已满",
		"There is not enough space on the disk.":     "磁盘已满",
	}
}
