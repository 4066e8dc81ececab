package e2e

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/index"
	"vademecum/index/quote"
	"vademecum/internal/app/manual"
	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/app/web"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
)

// TestManualLimits compares the limits in the manual with those in the program.
func TestManualLimits(t *testing.T) {
	t.Parallel()
	const mega, kilo, hour = 1 << 20, 1 << 10, 3600
	result := numbersIn(declared(t, "mcp", "resultBudget"))
	if len(result) != 2 {
		t.Fatalf("one result has the limits %v", result)
	}
	want := [][]int{
		{extract.MaxFileBytes / mega},
		{extract.MaxTextBytes / mega},
		{extract.MaxUnpackedBytes / mega, extract.MaxArchiveEntries},
		{index.MaxQueryRunes},
		{index.MaxOtherWordings},
		{1, index.MaxTopK, index.DefaultTopK},
		result,
		{glob.MaxPatternBytes},
		{value(t, "index/sync", "MaxClientTexts"), value(t, "index/sync", "MaxClientTextBytes") / mega, value(t, "index/sync", "maxSize") / mega},
		{value(t, "internal/app/cli", "textRoom") / mega},
		{web.MaxBodyBytes / mega},
		{value(t, "internal/app/web", "smallBody") / kilo, value(t, "internal/app/web", "largeOnes")},
		{value(t, "internal/app/web", "mostMessages")},
		{value(t, "internal/app/web", "maxOfAddress")},
		{flagDefault(t, "serve", "max-sessions")},
		{value(t, "mcp", "sessionIdle") / 60},
		{flagDefault(t, "serve", "rate-limit")},
		{value(t, "internal/app/web", "longestTurn")},
		{value(t, "internal/app/web/signin", "longestIdle") / hour},
		{value(t, "internal/app/web/signin", "longestStay") / (24 * hour)},
	}
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		rows := manualtest.TableRows(t, "files", l, 6)
		if len(rows) != len(want) {
			t.Fatalf("%d limits, want %d", len(rows), len(want))
		}
		for i, row := range rows {
			if got := numbersIn(row[0] + " " + row[1]); !slices.Equal(got, want[i]) {
				t.Errorf("%s: the manual says %v, the program has %v", row[0], got, want[i])
			}
		}
	})
}

// TestManualSentences compares sentences of the manual with the limits that they state; %s stands
// for a limit.
func TestManualSentences(t *testing.T) {
	t.Parallel()
	const kilo, day = 1 << 10, 24 * 3600
	for _, c := range []struct {
		topic, english, chinese string
		limits                  []int
	}{
		{"finding", "A quotation may have %s characters and %s parts, and one call may check %s quotations.", "每条引文至多 %s 个字符、%s 个部分，一次至多 %s 条。", []int{quote.MaxRunes, quote.MaxParts, index.MaxQuotes}},
		{"finding", "or is longer than %s characters, the quotation differs", "或超过 %s 个字符时，算作不同", []int{value(t, "index/quote", "longestLeftOut")}},
		{"finding", "A text is searched for up to %s seconds and a regular expression for up to %s,", "查找一段文字最多用 %s 秒，正则表达式最多 %s 秒，", []int{value(t, "index", "literalTime"), value(t, "index", "patternTime")}},
		{"hosts", "at most %s KB are sent", "最多发送 %s KB", []int{value(t, "index/operations", "MaxPictureBytes") / kilo}},
		{"hosts", "checks up to %s quotations", "核对至多 %s 条引文", []int{index.MaxQuotes}},
		{"formats", "An archive may contain %s files and unpack to %s MB, a single file to %s MB and to %s times its compressed size; the text is limited to %s MB.", "一个压缩包最多含 %s 个文件、解压后 %s MB，单个文件最多 %s MB，且不超过其压缩后大小的 %s 倍；文字最多 %s MB。",
			[]int{extract.MaxArchiveEntries, extract.MaxUnpackedBytes >> 20, extract.MaxFileBytes >> 20, value(t, "docs/extract/archive", "maxRatio"), extract.MaxTextBytes >> 20}},
		{"formats", "if tesseract is less than %s % sure of the result", "tesseract 的把握不到 %s%", []int{value(t, "docs/ocr", "confidentDenoised")}},
		{"formats", "A page below %s % or", "低于 %s % 或", []int{value(t, "docs/ocr", "minPageConfidence")}},
		{"formats", "Pictures under %s pixels", "短边不足 %s 像素", []int{value(t, "docs/extract/picture", "leastScanned")}},
		{"models", "The question and the best %s passages found for it are sent, each cut to %s characters", "发送的是问题和为它找到的最好的 %s 个段落，每段截到 %s 个字符", []int{value(t, "index/ranking", "rerankDepth"), value(t, "embed", "rerankedText")}},
		{"models", "Vademecum waits %s s for a service and %s s for a model in a folder.", "等它 %s s，文件夹中的模型等 %s s。", []int{value(t, "index", "RerankTimeout"), value(t, "internal/app/cli", "localRerankPatience")}},
		{"models", "At most %s tokens of a text are read.", "一段文本最多读 %s 个 token。", []int{value(t, "embed/local/transformer", "MaxUsedTokens")}},
		{"team", "requests wait for up to %s s;", "请求至多等 %s s，", []int{value(t, "internal/app/bridge", "patience")}},
		{"team", "after %s days without use, and after a year at the latest; for users of a provider after %s days", "%s 天没有使用时，许可就结束，最长一年；由提供方确认身份的人是 %s 天", []int{value(t, "internal/app/web/oauth", "grantIdleTime") / day, value(t, "internal/app/web/oauth", "providerGrantLifetime") / day}},
		{"team", "within %s s, up to %s kB, and only when", "%s s 以内，至多 %s kB，而且只在", []int{value(t, "internal/app/web/oauth", "fetchTimeout"), value(t, "internal/app/web/oauth", "maxDocumentBytes") / kilo}},
		{"files", "is replaced by another after %s s;", "被暂停的服务器 %s s 后由另一个取代。", []int{value(t, "index/lease", "silentAfter")}},
		{"files", "when nobody has opened them for %s days", "%s 天没人打开就会删除", []int{value(t, "index/store/sqlite", "keepFormats") / day}},
		{"database", "or more than %s and more than half", "或缺失的超过 %s 个且超过一半", []int{value(t, "index/sync", "fewMissing")}},
		{"database", "From %s vectors on, of up to %s dimensions,", "有 %s 个以上向量（不超过 %s 维）时", []int{value(t, "index/store/postgres", "indexedFrom"), value(t, "index/store/postgres", "indexable")}},
		{"database", "an index of at most %s vectors can be created", "至多能让 %s 个向量建成索引", []int{value(t, "index/store/postgres/searcher", "fewSlots")}},
		{"database", "in libraries of up to %s passages", "在不超过 %s 个段落的库里", []int{value(t, "index/store/postgres/searcher", "mostRelated")}},
		{"database", "if the model produces fewer than %s per second", "模型每秒给出不到 %s 个时", []int{value(t, "index/embedding", "slowModel")}},
	} {
		for l, sentence := range map[message.Language]string{message.English: c.english, message.Chinese: c.chinese} {
			for _, limit := range c.limits {
				sentence = strings.Replace(sentence, "%s", grouped(limit), 1)
			}
			if !strings.Contains(string(manual.Markdown(c.topic, l)), sentence) {
				t.Errorf("%s in %s does not say: %s", c.topic, l, sentence)
			}
		}
	}
}

// grouped formats a number like the manual: 2,000.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// ofSystem matches environment variables that many programs have, and those of tests.
var ofSystem = regexp.MustCompile(`^(GOGC|ProgramFiles|LOCALAPPDATA|DISPLAY|WAYLAND_DISPLAY|VADEMECUM_(TEST_.*|CHILD))$`)

// TestManualVariables checks that the manual lists exactly the environment variables that the
// program reads.
func TestManualVariables(t *testing.T) {
	own := regexp.MustCompile(`^(VADEMECUM|OPENAI|OLLAMA|HF)_[A-Z_]+$`)
	read := make(map[string]bool)
	eachSourceFile(t, func(_ *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if name := strings.Trim(text.Value, "`\""); own.MatchString(name) {
					read[name] = true
				}
			}
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Getenv" || f.Sel.Name == "LookupEnv") {
					if name, ok := literal(call.Args[0]); ok {
						read[name] = true
					}
				}
			}
			return true
		})
	})
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var listed []string
		for _, row := range manualtest.TableRows(t, "commands", l, 4) {
			listed = append(listed, manualtest.CodeSpans(row[0])...)
		}
		for name := range read {
			if !slices.Contains(listed, name) && !ofSystem.MatchString(name) {
				t.Errorf("the manual does not name the variable %s", name)
			}
		}
		for _, name := range listed {
			if own.MatchString(name) && !read[name] {
				t.Errorf("the manual names the variable %s, which nothing reads", name)
			}
		}
	})
}

// TestManualMetrics checks that every metric in the manual exists, that all metrics of the database
// are in the manual, and that no metric is renamed, as others plot and watch them:
// testdata/metrics.txt lists their names.
func TestManualMetrics(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^vademecum_[a-z_]+$`)
	var all []string
	eachSourceFile(t, func(files *token.FileSet, f *ast.File) {
		if f.Name.Name != "web" && f.Name.Name != "metrics" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && name.MatchString(strings.Trim(text.Value, "`\"")) {
				all = append(all, strings.Trim(text.Value, "`\""))
			}
			return true
		})
	})
	slices.Sort(all)
	golden(t, "metrics.txt", strings.Join(all, "\n")+"\n")
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var listed []string
		for _, topic := range manual.Topics {
			for _, code := range manualtest.AllCode(t, topic, l) {
				if name.MatchString(code) && !strings.HasSuffix(code, "_server") { // the name of a role
					listed = append(listed, code)
				}
			}
		}
		for _, code := range listed {
			if !slices.Contains(all, code) {
				t.Errorf("the manual names %s, which is no number of /metrics", code)
			}
		}
		for _, number := range all {
			if (strings.Contains(number, "database") || strings.Contains(number, "replica")) && !slices.Contains(listed, number) {
				t.Errorf("the manual does not name %s", number)
			}
		}
	})
}

var number = regexp.MustCompile(`\d[\d,_]*`)

// numbersIn returns the numbers in a text; they may have separators of thousands.
func numbersIn(text string) (all []int) {
	for _, digits := range number.FindAllString(text, -1) {
		n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(digits))
		if err != nil {
			panic(err) // the regular expression matches only digits
		}
		all = append(all, n)
	}
	return all
}

// declared returns the source of a constant or variable of a package below a folder.
func declared(t *testing.T, folder, name string) (source string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(repository, filepath.FromSlash(folder)), func(path string, d fs.DirEntry, err error) error {
		if err != nil || source != "" || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if first := valueIn(d, name); first != nil {
				var out bytes.Buffer
				err = printer.Fprint(&out, files, first)
				source = out.String()
			}
		}
		return err
	})
	if err != nil || source == "" {
		t.Fatalf("%s declares no %s: %v", folder, name, err)
	}
	return source
}

// valueIn returns the value that a declaration gives to a name; nil if it does not declare the
// name.
func valueIn(d ast.Decl, name string) ast.Expr {
	group, ok := d.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range group.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || len(v.Values) != len(v.Names) {
			continue
		}
		for i, n := range v.Names {
			if n.Name == name {
				return v.Values[i]
			}
		}
	}
	return nil
}

// value returns the value of a constant of a package below a folder; of a duration, in seconds.
func value(t *testing.T, folder, name string) int {
	t.Helper()
	source := strings.NewReplacer("time.Second", "1", "time.Minute", "60", "time.Hour", "3600").Replace(declared(t, folder, name))
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, source)
	if err != nil || v.Value == nil {
		t.Fatalf("%s of %s is %q: %v", name, folder, source, err)
	}
	n, _ := constant.Int64Val(v.Value)
	return int(n)
}

// flagDefault returns the default of a flag that is a number.
func flagDefault(t *testing.T, command, flag string) int {
	t.Helper()
	help, err := vademecum(t, command, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(fmt.Sprintf(`--%s N .*\(default (\d+)\)`, flag)).FindSubmatch(help)
	if m == nil {
		t.Fatalf("%s has no number --%s", command, flag)
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
