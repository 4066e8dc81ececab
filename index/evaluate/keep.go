package evaluate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mostKept bounds each file, in bytes.
const mostKept = 4 << 20

// ErrFull is the error of files that take no more.
var ErrFull = errors.New("there are too many judgements")

// AddJudgement adds a judgement to files that Read reads, and makes them where there are
// none. A question that they have keeps its name, and of two judgements of one document
// the later counts.
func AddJudgement(queries, qrels, question, path string, grade int) error {
	question = strings.Join(strings.Fields(question), " ")
	if question == "" || path == "" || strings.ContainsAny(path, "\t\r\n") {
		return errors.New("a judgement has a question and a path, without tabs and line ends")
	}
	for _, file := range []string{queries, qrels} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if info, err := os.Stat(file); err == nil && info.Size() > mostKept {
			return fmt.Errorf("%w in %s", ErrFull, file)
		}
	}
	name, known, err := questionName(queries, question)
	if err != nil {
		return err
	}
	if !known {
		if err := appendLine(queries, name+"\t"+question); err != nil {
			return err
		}
	}
	return appendLine(qrels, name+"\t"+path+"\t"+strconv.Itoa(grade))
}

// questionName is the name of a question in a file, or the next one that is free.
func questionName(queries, question string) (name string, known bool, err error) {
	taken := make(map[string]bool)
	err = eachRow(queries, 2, func(row []string) error {
		taken[row[0]] = true
		if !known && strings.Join(strings.Fields(strings.Join(row[1:], " ")), " ") == question {
			name, known = row[0], true
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false, err
	}
	for n := len(taken) + 1; name == ""; n++ {
		if next := fmt.Sprintf("q%d", n); !taken[next] {
			name = next
		}
	}
	return name, known, nil
}

func appendLine(file, line string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}
