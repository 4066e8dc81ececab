package evaluate

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/message"
)

// Judgements state which documents are relevant to which queries.
type Judgements struct {
	Questions []Question
	Grades    map[string]map[string]float64 // by query ID and path; above 0 means relevant
}

// Question is a query with its ID.
type Question struct{ ID, Text string }

// ReadJudgements reads queries (ID, tab, text) and judgements (ID, tab, path, tab, grade), in the
// table formats of retrieval test collections.
func ReadJudgements(queriesFile, qrelsFile string) (Judgements, error) {
	j := Judgements{Grades: make(map[string]map[string]float64)}
	named := make(map[string]bool)
	err := eachRow(queriesFile, 2, func(row []string) error {
		if named[row[0]] {
			return message.Errorf("the name %s was used before", row[0])
		}
		named[row[0]] = true
		j.Questions = append(j.Questions, Question{ID: row[0], Text: strings.Join(row[1:], "\t")})
		return nil
	})
	if err != nil {
		return j, err
	}
	err = eachRow(qrelsFile, 3, func(row []string) error {
		grade, err := strconv.ParseFloat(strings.TrimSpace(row[2]), 64)
		if err != nil {
			return message.Errorf("the grade must be a number, got %q", row[2])
		}
		if j.Grades[row[0]] == nil {
			j.Grades[row[0]] = make(map[string]float64)
		}
		j.Grades[row[0]][judgedPath(row[1])] = grade
		return nil
	})
	if err == nil && len(j.Grades) == 0 {
		err = message.Errorf("%s contains no judgements", qrelsFile)
	}
	return j, err
}

// eachRow calls f with the columns of each line that is not blank.
func eachRow(file string, columns int, f func([]string) error) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimPrefix(strings.TrimRight(lines.Text(), "\r\n"), "\uFEFF")
		if strings.TrimSpace(line) == "" {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) < columns {
			return message.Errorf("%s, line %d: %d columns, expected %d separated by tabs", file, n, len(row), columns)
		}
		if err := f(row); err != nil {
			return message.Errorf("%s, line %d: %v", file, n, err)
		}
	}
	return lines.Err()
}

// judgedPath normalizes the path of a document in a file of judgements for comparison.
func judgedPath(path string) string {
	return strings.TrimPrefix(norm.NFC.String(strings.ReplaceAll(strings.TrimSpace(path), `\`, "/")), "./")
}
