package evaluate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"vademecum/internal/base/message"
)

// mostKept is the maximum size in bytes of each file of judgements to which one is added.
const mostKept = 4 << 20

// errFileTooLarge is returned if the files accept no more judgements.
var errFileTooLarge = message.Errorf("there are too many judgements")

// AddJudgement adds a judgement to the files, which ReadJudgements reads, and creates them if
// necessary. A query that they already contain keeps its ID, and the judgement replaces an earlier
// one of the same query and document.
func AddJudgement(queriesFile, qrelsFile, question, path string, grade int) error {
	question = strings.Join(strings.Fields(question), " ")
	if question == "" || path == "" || strings.ContainsAny(path, "\t\r\n") {
		return message.Errorf("a judgement has a question and a path, without tabs and line ends")
	}
	for _, file := range []string{queriesFile, qrelsFile} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if info, err := os.Stat(file); err == nil && info.Size() > mostKept {
			return message.Errorf("%v in %s", errFileTooLarge, file)
		}
	}
	name, known, err := questionName(queriesFile, question)
	if err != nil {
		return err
	}
	if !known {
		if err := appendLine(queriesFile, name+"\t"+question); err != nil {
			return err
		}
	}
	if err := dropJudgement(qrelsFile, name, path); err != nil {
		return err
	}
	return appendLine(qrelsFile, name+"\t"+path+"\t"+strconv.Itoa(grade))
}

// RemoveJudgement removes the judgement of a document for a question from the files, if it exists.
func RemoveJudgement(queriesFile, qrelsFile, question, path string) error {
	name, known, err := questionName(queriesFile, strings.Join(strings.Fields(question), " "))
	if err != nil || !known {
		return err
	}
	return dropJudgement(qrelsFile, name, path)
}

// dropJudgement removes the judgements of a document for a query from a file, and removes the file
// if none are left.
func dropJudgement(qrelsFile, name, path string) error {
	before, err := os.ReadFile(qrelsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var rest strings.Builder
	for line := range strings.Lines(string(before)) {
		row := strings.Split(line, "\t")
		if len(row) < 3 || row[0] != name || judgedPath(row[1]) != judgedPath(path) {
			rest.WriteString(line)
		}
	}
	switch {
	case rest.Len() == len(before):
		return nil
	case strings.TrimSpace(rest.String()) == "":
		return os.Remove(qrelsFile)
	}
	f, err := os.CreateTemp(filepath.Dir(qrelsFile), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(rest.String())
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), qrelsFile)
}

// questionName returns the ID of a query in a file, or the next free ID.
func questionName(queriesFile, question string) (name string, known bool, err error) {
	taken := make(map[string]bool)
	err = eachRow(queriesFile, 2, func(row []string) error {
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
