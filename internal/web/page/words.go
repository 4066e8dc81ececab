package page

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"vademecum/docs/ignore"
	"vademecum/index/say"
)

// languageNames are those of the languages that are told apart, by their codes.
var languageNames = map[string]string{
	"en": "English", "zh": "Chinese", "ja": "Japanese", "ko": "Korean", "de": "German", "fr": "French", "es": "Spanish",
	"it": "Italian", "pt": "Portuguese", "ru": "Russian", "nl": "Dutch",
	"pl": "Polish", "cs": "Czech", "sv": "Swedish", "da": "Danish", "no": "Norwegian", "fi": "Finnish", "hu": "Hungarian", "tr": "Turkish",
	"ro": "Romanian", "id": "Indonesian", "vi": "Vietnamese", "ca": "Catalan", "bs": "Bosnian or Croatian", "uk": "Ukrainian", "bg": "Bulgarian", "sr": "Serbian",
	"th": "Thai", "ar": "Arabic", "fa": "Persian", "he": "Hebrew", "el": "Greek", "hi": "Hindi", "bn": "Bengali", "ta": "Tamil",
	"te": "Telugu", "kn": "Kannada", "ml": "Malayalam", "si": "Sinhala", "ka": "Georgian", "hy": "Armenian", "km": "Khmer", "lo": "Lao",
	"my": "Burmese",
}

func languageName(code string) string { return cmp.Or(languageNames[code], code) }

// chineseUnits are what places are counted in.
var chineseUnits = map[string]string{"line": "行", "page": "页", "slide": "张幻灯片", "sheet": "个工作表", "row": "行", "chapter": "章", "cell": "个单元格"}

var (
	placePart = regexp.MustCompile(`\b(line|page|slide|sheet|row|chapter|cell)s? (\d+(?:-\d+)?)`)
	placeTo   = strings.NewReplacer(" to 第", " 至第", ", 第", " 第", "-", "–")
)

// chinesePlace says where something stands, such as 第 12–40 行. What stands in
// brackets is a name, and stays.
func chinesePlace(place string) string {
	from, to := strings.Index(place, " ("), strings.LastIndexByte(place, ')')
	if from < 0 || to < from {
		return chineseNumbers(place)
	}
	return chineseNumbers(place[:from]) + "（" + place[from+2:to] + "）" + chineseNumbers(place[to+1:])
}

func chineseNumbers(text string) string {
	return placeTo.Replace(placePart.ReplaceAllStringFunc(text, func(part string) string {
		m := placePart.FindStringSubmatch(part)
		return "第 " + m[2] + " " + chineseUnits[m[1]]
	}))
}

// chineseNote says what a reader should know. What a system or a model told stays as
// it is.
func chineseNote(n say.Note) string {
	words := n.Words
	if n.Kind == say.NoneOfAll {
		words = nil
		for _, w := range n.Words {
			words = append(words, chineseCondition(w))
		}
	}
	return chineseSaid(n, strings.Join(words, "、"))
}

// chineseCondition says a condition on dates, with what follows it.
func chineseCondition(english string) string {
	kind, rest, _ := strings.Cut(english, " ")
	date, rest, _ := strings.Cut(rest, " ")
	switch rest = strings.TrimSuffix(" "+rest, " "); kind {
	case "before":
		return date + " 及以前" + rest
	case "after":
		return date + " 及以后" + rest
	}
	return english
}

func chineseSaid(n say.Note, words string) string {
	switch n.Kind {
	case say.QuestionRefused, say.ModelFails:
		return fmt.Sprintf("仅按词语查找：嵌入模型没有给出问题的向量（%s）。", inChinese(n.Why, 0))
	case say.ModelSlow:
		return fmt.Sprintf("仅按词语查找：%s 超过 %s 未回答。", n.Model, n.For)
	case say.ModelChanged:
		return fmt.Sprintf("仅按词语查找：%s 的向量长度变了，所有段落正在重新向量化。", n.Model)
	case say.NoPath:
		return fmt.Sprintf("没有路径符合 %s 的文档。", n.Path)
	case say.PathElsewhere:
		return fmt.Sprintf("没有路径为 %s 的文档，改为查找 %s。", n.Path, words)
	case say.NoTag:
		return "没有带标签 " + n.Path + " 的文档" + alsoThere(words) + "。"
	case say.NoKey, say.NoValue:
		return "没有 " + n.Path + " 的文档" + alsoThere(words) + "。"
	case say.NoDate:
		return "没有 " + chineseCondition(n.Path) + " 的文档，最近的日期是 " + words + "。"
	case say.NoneOfAll:
		return "没有同时符合所有条件的文档：" + words + "。"
	case say.NoDocument:
		if n.SoFar {
			return "还没有文档编入索引，请稍后再问。"
		}
		return "没有可以查找的文档：文件夹是空的，或者其中的文件类型无法读取。"
	case say.NotInThose:
		return fmt.Sprintf("符合筛选的有 %d 篇文档，其中没有找到。", n.Count)
	case say.UnknownWords:
		return "文档中没有出现：" + words + "。"
	}
	return chineseState(n)
}

// alsoThere names what there is instead.
func alsoThere(words string) string {
	if words == "" {
		return ""
	}
	return "；现有：" + words
}

// chineseState says what answers may miss.
func chineseState(n say.Note) string {
	switch n.Kind {
	case say.RunFailed:
		return "索引可能已过时，上次运行失败：" + inChinese(n.Why, 0)
	case say.DatabaseSlow:
		return fmt.Sprintf("数据库应答很慢（每条语句 %d 毫秒，一个问题约需十条），所以回答要等较久。", n.For.Milliseconds())
	case say.DatabaseRefuses:
		return "数据库现在不接受更改（" + inChinese(n.Why, 0) + "）：最近保存的内容可能缺失。"
	case say.DatabaseAway:
		if n.Why == "" {
			return "现在连不上数据库：以下是之前已知的内容，可能已过时。"
		}
		return "数据库现在无法使用：" + inChinese(n.Why, 0) + "。以下是之前已知的内容，可能已过时。"
	case say.BeingBuilt:
		return fmt.Sprintf("正在建立索引：已完成 %d / %d 个需要读取的文件；稍后再问可得到完整的答案。", n.Done, n.Total)
	case say.BeingScanned, say.WasScanned:
		return "文件夹正在扫描，稍后再问可得到完整的答案。"
	case say.ProcessSilent, say.ProcessBehind:
		return fmt.Sprintf("索引可能落后：维护它的进程 %d 没有跟上。", n.PID)
	case say.NobodyIndexes:
		if len(n.Words) == 0 {
			return "索引可能落后：现在没有看得到这些文件的服务器在运行。"
		}
		return fmt.Sprintf("索引可能落后：现在没有看得到 %s 的文件的服务器在运行。", strings.Join(n.Words, "、"))
	case say.NotCompared:
		return "索引可能落后：没能及时确认它是否包含最近保存的内容。"
	case say.FolderSilent:
		return fmt.Sprintf("文件夹 %s 没有响应，以下内容来自之前的索引。", n.Path)
	case say.FolderMissing:
		return fmt.Sprintf("文件夹 %s 不在或无法读取：请接上它的硬盘或网络，或检查路径和权限，然后再问。其内容是之前已知的。", n.Path)
	case say.FolderStrayed:
		return fmt.Sprintf("%s；这些文档来自 %s，重新启动 vademecum 才能看到其他文档。", inChinese(n.Why, 0), n.Path)
	case say.FolderUnlike:
		return fmt.Sprintf("此服务器不索引文件夹 %s：%s 的 %d 篇文档中有 %d 篇不是其中的文件。若要让该库改为此文件夹的内容：%s", n.Path, n.Library, n.Total, n.Count, say.Replacing(n.Path))
	case say.Unwatched:
		return fmt.Sprintf("更改可能在 %d 秒后才出现：文件夹没有被完全监视（%s）。", int(n.For.Seconds()), inChinese(n.Why, 0))
	case say.AtIntervals:
		return n.Path + " 不断变化，按间隔读取：最近写入的内容可能缺失。"
	case say.WithoutVector:
		return fmt.Sprintf("%d / %d 个段落还没有向量，只能按词语找到。", n.Count, n.Total)
	case say.VectorsRefused:
		return fmt.Sprintf("%d / %d 个段落被模型拒绝，只能按词语找到。", n.Count, n.Total)
	}
	return n.String()
}

// chineseRules say by what rules files are left out, but for patterns.
var chineseRules = map[ignore.Kind]string{
	ignore.Hidden: "隐藏：名称以点开头", ignore.Filled: "由程序填充的文件夹", ignore.Temporary: "程序或系统的临时文件", ignore.Special: "设备、管道或套接字", ignore.Index: "属于 vademecum 的索引",
}
