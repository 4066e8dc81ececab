package page

import (
	"regexp"
	"strings"
	"sync"

	"vademecum/index/say"
)

// chineseReasons are what the rest of the program tells people in one line, in its own
// words: why files are not indexed, or not wholly, and what is wrong with a request. %s
// stands for what differs, in the same order, or is named by its number: %2$s.
var chineseReasons = [][2]string{
	{"empty", "空文件"}, {"it is empty", "空文件"}, {"holds no text", "不含文字"}, {"scanned PDF: no text layer", "扫描的 PDF，没有文字层"},
	{"no text that can be read: its fonts do not say which characters they hold", "没有可读的文字：字体没有说明所含的字符"},
	{"not text, or in an unknown encoding", "不是文字，或编码未知"}, {"not text: it holds NUL bytes, the first in line %s", "不是文字：含有 NUL 字节，第一个在第 %s 行"}, {"file name is not valid UTF-8", "文件名不是有效的 UTF-8"}, {"not a regular file", "不是普通文件"},
	{"symbolic link within the folder, not followed", "指向文件夹内部的符号链接，不跟随"}, {"symbolic link out of the folder, not followed", "指向文件夹外部的符号链接，不跟随"},
	{"larger than %s MB", "大于 %s MB"}, {"more than %s MB of text", "文字超过 %s MB"}, {"unpacks to more than %s MB", "解压后超过 %s MB"}, {"more than %s files inside", "内含超过 %s 个文件"}, {"more than %s shapes", "超过 %s 个图形"},
	{"nested too deeply", "嵌套过深"}, {"a part is missing", "缺少一部分"}, {"the file of an index", "索引文件"}, {"a zip archive", "zip 压缩包"}, {"waits to be read: ask again", "等待读取，请稍后再问"},
	{"password needed: protected by DRM", "需要密码：受 DRM 保护"}, {"password needed", "需要密码"}, {"%s: protected by DRM", "%s：受 DRM 保护"}, {"encrypted in a way that is not known", "加密方式未知"},
	{"a private key", "私钥"}, {"a public key", "公钥"}, {"a certificate", "证书"}, {"an encrypted message", "加密的消息"},
	{"permission denied", "没有权限"}, {"no such file or directory", "没有这样的文件或文件夹"}, {"input/output error", "读写错误"}, {"too many open files", "打开的文件过多"}, {"no space left on device", "磁盘已满"},
	{"cannot be read: %s", "无法读取：%s"}, {"made by a machine: %s", "机器生成：%s"},
	{"lock file", "锁文件"}, {"list of tags", "标签列表"}, {"source map", "源码映射"}, {"search index", "搜索索引"}, {"minified code", "压缩过的代码"}, {"generated code", "生成的代码"},

	{"damaged mail", "已损坏的邮件"}, {"damaged compound file", "已损坏的复合文件"}, {"damaged drawing", "已损坏的图表"}, {"damaged JSON", "已损坏的 JSON"}, {"damaged book", "已损坏的电子书"}, {"damaged RTF", "已损坏的 RTF"},
	{"damaged XML", "已损坏的 XML"}, {"damaged zip", "已损坏的 zip"}, {"damaged spreadsheet", "已损坏的表格"}, {"damaged Word document", "已损坏的 Word 文档"}, {"damaged notebook", "已损坏的笔记本"}, {"damaged Evernote export", "已损坏的 Evernote 导出文件"}, {"damaged PDF", "已损坏的 PDF"},
	{"damaged: the reader of %s failed", "已损坏：%s 的读取程序出错"},

	{"Excel format that is not read (%s): save it as .xlsx", "不支持的 Excel 格式（%s）：请另存为 .xlsx"}, {"Kindle book (%s): convert it to EPUB", "Kindle 电子书（%s）：请转换为 EPUB"},
	{"format that is not read (%s): convert it to PDF", "不支持的格式（%s）：请转换为 PDF"}, {"AutoCAD drawing (%s): export it as PDF", "AutoCAD 图纸（%s）：请导出为 PDF"},
	{"Outlook mailbox (%s): save its mails as .eml files", "Outlook 邮箱（%s）：请将邮件另存为 .eml 文件"}, {"picture (%s): export it as PDF if its words are to be found", "图片（%s）：若要查找其中的文字，请导出为 PDF"},
	{"OneNote notebook (%s): export its pages as PDF or .docx", "OneNote 笔记本（%s）：请将页面导出为 PDF 或 .docx"}, {"OneNote section (%s): export its pages as PDF or .docx", "OneNote 分区（%s）：请将页面导出为 PDF 或 .docx"},
	{"old OpenOffice format (%s): save it as .odt, .ods or .odp", "旧的 OpenOffice 格式（%s）：请另存为 .odt、.ods 或 .odp"}, {"OpenDocument drawing (%s): export it as PDF", "OpenDocument 绘图（%s）：请导出为 PDF"},
	{"Visio drawing (%s): export it as PDF", "Visio 绘图（%s）：请导出为 PDF"}, {"XPS document (%s): convert it to PDF", "XPS 文档（%s）：请转换为 PDF"}, {"Hangul document (%s): save it as .docx or PDF", "Hangul 文档（%s）：请另存为 .docx 或 PDF"},
	{"old Word format (%s): save it as .docx", "旧的 Word 格式（%s）：请另存为 .docx"}, {"old PowerPoint format (%s): save it as .pptx", "旧的 PowerPoint 格式（%s）：请另存为 .pptx"},
	{"old Office format: save it as .docx, .xlsx or .pptx", "旧的 Office 格式：请另存为 .docx、.xlsx 或 .pptx"}, {"Publisher document (%s): export it as PDF", "Publisher 文档（%s）：请导出为 PDF"}, {"dBase table (%s): save it as .csv or .xlsx", "dBase 表（%s）：请另存为 .csv 或 .xlsx"},
	{"WordPerfect document (%s): save it as .docx", "WordPerfect 文档（%s）：请另存为 .docx"}, {"Apple iWork format (%s): export it as PDF", "Apple iWork 格式（%s）：请导出为 PDF"}, {"not a text format (%s)", "非文字格式（%s）"},

	{"takes too long to read (over %s s)", "读取时间过长（超过 %s 秒）"}, {"reading took too long", "读取时间过长"}, {"takes too much memory to read", "读取占用内存过多"}, {"the rest takes too much memory to read", "其余部分读取占用内存过多"}, {"the rest is damaged", "其余部分已损坏"},
	{"only pages %s to %s of %s: %s", "共 %3$s 页，只读取了第 %1$s–%2$s 页：%4$s"}, {"the rest could not be read: %s", "其余部分无法读取：%s"},
	{"the machine is too busy: the reader of %s had the processor for %s of %s", "机器太忙：%s 的读取程序在 %3$s 中只得到 %2$s 的处理器时间"}, {"the machine is too busy", "机器太忙"},
	{"the engine that reads %s did not start within %s", "读取 %s 的程序在 %s 内没有启动"}, {"the system ended the process that reads it, perhaps for want of memory", "系统结束了读取它的进程，可能因内存不足"},
	{"the child process that reads documents did not start", "读取文档的子进程没有启动"}, {"the file of this program was replaced while it runs: start it again", "程序文件在运行时被替换：请重新启动"},
	{"%s of %s pages has no text (scanned)", "%2$s 页中有 %1$s 页没有文字（扫描件）"}, {"%s of %s pages have no text (scanned)", "%2$s 页中有 %1$s 页没有文字（扫描件）"},
	{"%s of %s pages has hardly any text on an image (scanned)", "%2$s 页中有 %1$s 页是几乎没有文字的图像（扫描件）"}, {"%s of %s pages have hardly any text on an image (scanned)", "%2$s 页中有 %1$s 页是几乎没有文字的图像（扫描件）"},
	{"%s of %s pages cannot be read: the fonts do not say which characters they hold", "%2$s 页中有 %1$s 页无法读取：字体没有说明所含的字符"}, {"%s of %s pages is damaged", "%2$s 页中有 %1$s 页已损坏"}, {"%s of %s pages are damaged", "%2$s 页中有 %1$s 页已损坏"},
	{"documents attached to it are not read: %s and %s others", "附件中的文档没有读取：%s 及另外 %s 个"}, {"documents attached to it are not read: %s", "附件中的文档没有读取：%s"}, {"%s notes after the first %s are not read", "前 %2$s 条之后的 %1$s 条笔记没有读取"},
	{"%s bytes or characters that cannot be decoded are shown as \uFFFD", "%s 个字节或字符无法解码，显示为 \uFFFD"}, {"some texts of cells are damaged", "部分单元格文字已损坏"}, {"the number formats are damaged", "数字格式已损坏"},
	{"sheet %s is damaged: %s", "工作表 %s 已损坏：%s"}, {"sheet %s is read only to row %s", "工作表 %s 只读取到第 %s 行"}, {"sheet %s has equal rows or cells of which %s in a row are read", "工作表 %s 有相同的行或单元格，连续的只读取 %s 个"},
	{"chapter %s could not be read completely", "第 %s 章未能完整读取"}, {"%s chapters could not be read completely", "%s 章未能完整读取"}, {"slide %s could not be read completely", "第 %s 张幻灯片未能完整读取"}, {"%s slides could not be read completely", "%s 张幻灯片未能完整读取"},
	{"page %s could not be read completely", "第 %s 页未能完整读取"}, {"%s pages could not be read completely", "%s 页未能完整读取"}, {"message %s could not be read completely", "第 %s 封邮件未能完整读取"}, {"%s messages could not be read completely", "%s 封邮件未能完整读取"},
	{"note %s could not be read completely", "第 %s 条笔记未能完整读取"}, {"%s notes could not be read completely", "%s 条笔记未能完整读取"}, {"entry %s could not be read completely", "第 %s 项未能完整读取"}, {"%s entrys could not be read completely", "%s 项未能完整读取"},
	{"changes all the time and is read every %s", "不断变化，每 %s 读取一次"},

	{"the page cannot be drawn: the file does not hold the fonts of its Chinese, Japanese or Korean characters", "无法画出此页：文件里没有其中日韩文字的字体"},
	{"there is no page %s: it has %s", "没有第 %s 页：共 %s 页"}, {"page %s cannot be drawn: it is damaged", "无法画出第 %s 页：已损坏"}, {"its pages have no look of their own", "它的页面没有固定的样子"},
	{"%s is not indexed: %s", "%s 未索引：%s"}, {"%s: there is no heading %s: there are %s", "%s：没有标题 %s；现有：%s"}, {"%s: there is no text on %s %s: the last with text is %s", "%1$s：第 %3$s 页（或张、章）没有文字，最后有文字的是第 %4$s 页"}, {"there is no text on %s %s: the last with text is %s", "第 %2$s 页（或张、章）没有文字，最后有文字的是第 %3$s 页"},
	{"there is no heading %s: there are %s", "没有标题 %s；现有：%s"}, {"%s: there is no text at #%s: it ends with %s", "%s：#%s 处没有文字，结尾在 %s"}, {"there is no text at #%s: it ends with %s", "#%s 处没有文字，结尾在 %s"}, {"no such document: %s", "没有这样的文档：%s"}, {"%s: it is not indexed yet: ask again", "%s：尚未索引，请稍后再问"},
	{"query is empty: ask a question or give some words to look for", "问题为空：请提问，或给出要查找的词"}, {"query is too long (%s characters, at most %s): ask in a sentence or two", "问题太长（%s 个字符，至多 %s 个）：请用一两句话提问"},
	{"must be tags such as project or recipes/soup", "标签写作 project 或 recipes/soup"}, {"tag %s must be tags such as project or recipes/soup", "标签 %s 写作 project 或 recipes/soup"},
	{"path pattern %s is not a valid glob, and nothing has that path: %s", "路径 %s 不是有效的通配符，也没有这样的路径"}, {"path pattern %s is too long for a glob (%s bytes, at most %s): give a folder, or ask more than once", "路径 %s 太长（%s 字节，至多 %s）：请给出文件夹，或分几次提问"},
	{"path %s leads out of the folder: give a path as list_docs shows it", "路径 %s 超出了文件夹"},
	{"no query has a judgement: the first column of both files must be the same names", "没有问题带有评判：两个文件的第一列必须是相同的名称"}, {"no judged document is in the folder, %s for one: paths are relative to the folder", "评判过的文档都不在文件夹中，例如 %s：路径以文件夹为起点"},
	{"%s, line %s: %s columns, want %s with tabs between", "%s 第 %s 行：有 %s 列，应为 %s 列，以制表符分隔"}, {"%s, line %s: %s", "%s 第 %s 行：%s"}, {"the name %s was used before", "名称 %s 已用过"}, {"the grade must be a number, got %s", "评分必须是数字，而不是 %s"},
	{say.Away, "现在连不上数据库，请稍后再试"}, {"it is read-only", "它是只读的"}, {"it is a replica, which is read-only", "它是只读的副本"}, {"its disk is full", "它的磁盘已满"}, {"the user of this server may not write to it", "本服务器的用户不能写入"},
	{"the index cannot be used yet: %s", "索引暂时无法使用：%s"}, {"the database cannot be reached", "连不上数据库"},
	{"%s holds no judgement", "%s 没有评判"}, {"context deadline exceeded", "超时"}, {"the folder does not answer: ask again when its drive or network does", "文件夹没有响应：等硬盘或网络恢复后再试"},
}

// sentence is one of several that may be told, and how it is said in Chinese.
type sentence struct {
	is  *regexp.Regexp
	say string
}

var placeholder = regexp.MustCompile(`%(?:(\d)\$)?s`)

// sentences are compiled when the first page needs them.
var sentences = sync.OnceValue(func() []sentence {
	all := make([]sentence, len(chineseReasons))
	for i, p := range chineseReasons {
		parts := strings.Split(p[0], "%s")
		for j := range parts {
			parts[j] = regexp.QuoteMeta(parts[j])
		}
		all[i] = sentence{regexp.MustCompile("^(?s:" + strings.Join(parts, "(.+?)") + ")$"), p[1]}
	}
	return all
})

// in says a sentence in Chinese, "" when it is another.
func (s sentence) in(english string, depth int) string {
	values := s.is.FindStringSubmatch(english)
	if values == nil {
		return ""
	}
	next := 0
	return placeholder.ReplaceAllStringFunc(s.say, func(at string) string {
		next++
		n := next
		if number := placeholder.FindStringSubmatch(at)[1]; number != "" {
			n = int(number[0] - '0')
		}
		return inChinese(values[n], depth+1)
	})
}

// longestReason is up to where what was told is looked up, in bytes.
const longestReason = 2000

// inChinese says what was told, and what stands in it, in Chinese. What is known in no
// other language stays as it is.
func inChinese(english string, depth int) string {
	if depth > 3 || len(english) > longestReason {
		return english
	}
	for _, s := range sentences() {
		if said := s.in(english, depth); said != "" {
			return said
		}
	}
	if first, rest, ok := strings.Cut(english, "; "); ok && depth == 0 { // several at once
		return inChinese(first, depth) + "；" + inChinese(rest, depth)
	}
	return english
}

// reason says what another part of the program tells of a file or a request.
func (t tongue) reason(english string) string {
	if t.said == nil {
		return english
	}
	return inChinese(english, 0)
}
