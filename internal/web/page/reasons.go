package page

import "strings"

// chineseReasons are those why files are not indexed, or not wholly.
var chineseReasons = map[string]string{
	"empty": "空文件", "holds no text": "不含文字", "it is empty": "空文件", "password needed": "需要密码", "encrypted in a way that is not known": "加密方式未知",
	"scanned PDF: no text layer": "扫描的 PDF，没有文字层", "no text that can be read: its fonts do not say which characters they hold": "没有可读的文字：字体没有说明所含的字符",
	"not text, or in an unknown encoding": "不是文字，或编码未知", "file name is not valid UTF-8": "文件名不是有效的 UTF-8", "permission denied": "没有权限", "not a regular file": "不是普通文件",
	"symbolic link within the folder, not followed": "指向文件夹内部的符号链接，不跟随", "symbolic link out of the folder, not followed": "指向文件夹外部的符号链接，不跟随",
	"larger than 50 MB": "大于 50 MB", "more than 32 MB of text": "文字超过 32 MB", "unpacks to more than 256 MB": "解压后超过 256 MB", "more than 20000 files inside": "内含超过 20000 个文件",
	"nested too deeply": "嵌套过深", "a part is missing": "缺少一部分", "the file of an index": "索引文件", "a zip archive": "zip 压缩包",
	"a private key": "私钥", "a public key": "公钥", "a certificate": "证书", "an encrypted message": "加密的消息",
	"old Office format: save it as .docx, .xlsx or .pptx": "旧的 Office 格式：请另存为 .docx、.xlsx 或 .pptx", "reading took too long": "读取时间过长",
	"the page cannot be drawn: the file does not hold the fonts of its Chinese, Japanese or Korean characters": "无法画出此页：文件里没有其中日韩文字的字体",
}

// chineseBeginnings are those of reasons that go on with what differs.
var chineseBeginnings = []struct{ english, chinese string }{
	{"damaged ", "已损坏的 "}, {"made by a machine: ", "机器生成："}, {"cannot be read: ", "无法读取："}, {"takes too long to read", "读取时间过长"}, {"password needed: ", "需要密码："},
	{"old Word format", "旧的 Word 格式"}, {"old Excel format", "旧的 Excel 格式"}, {"old PowerPoint format", "旧的 PowerPoint 格式"}, {"format that is not read", "不支持的格式"}, {"picture ", "图片 "},
	{"not a text format", "非文字格式"},
}

// chineseWords are those in them.
var chineseWords = strings.NewReplacer(
	"lock file", "锁文件", "list of tags", "标签列表", "source map", "源码映射", "minified code", "压缩过的代码", "generated code", "生成的代码",
	"export it as PDF if its words are to be found", "若要查找其中的文字，请导出为 PDF", "export it as PDF", "请导出为 PDF", "convert it to PDF", "请转换为 PDF", "convert it to EPUB", "请转换为 EPUB",
	": save it as ", "：请另存为 ", " or ", " 或 ", "changes all the time and is read every ", "不断变化，读取间隔 ", "over ", "超过 ",
)

// reason says why a file is not indexed, or what of it is missing. What is known in no
// other language stays as it is.
func (t tongue) reason(english string) string {
	if t.said == nil {
		return english
	}
	if said, ok := chineseReasons[english]; ok {
		return said
	}
	for _, b := range chineseBeginnings {
		if rest, ok := strings.CutPrefix(english, b.english); ok {
			return b.chinese + chineseWords.Replace(rest)
		}
	}
	return english
}
