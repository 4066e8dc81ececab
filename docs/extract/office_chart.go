package extract

import (
	"strconv"
	"strings"
)

// chart returns what a DrawingML chart says (ECMA-376 part 1, 21.2, and for
// those of Office 2016 [MS-ODRAWXML] 2.24.3): the titles and the values that the
// application kept, as a table.
func (p *opcPackage) chart(part string) []block {
	var c chartReader
	p.walk(part, func(x *xmlReader) { c.read(x) })
	var all []block
	for _, t := range c.titles {
		all = append(all, block{text: t})
	}
	if rows := c.table(); len(rows) > 1 {
		all = append(all, block{kind: tableBlock, rows: rows})
	}
	return all
}

type chartReader struct {
	titles []string
	series []chartSeries
	named  int // of the series, in a chart of Office 2016, where the names come last
	points int
}

type chartSeries struct{ name, categories, values []string }

const maxPoints = 20_000 // values of a chart

func (c *chartReader) read(x *xmlReader) {
	x.descend(func(e element) bool {
		switch e.name {
		case "title":
			if t := oneLine(runs(x)); t != "" && len(c.titles) < maxDepth {
				c.titles = append(c.titles, t)
			}
		case "ser":
			c.readSeries(x)
		case "data":
			c.readData(x)
		case "series":
			c.readName(x)
		default:
			return false
		}
		return true
	})
}

func (c *chartReader) readSeries(x *xmlReader) {
	var s chartSeries
	x.children(func(e element) {
		switch e.name {
		case "tx":
			s.name = c.values(x)
		case "cat", "xVal":
			s.categories = c.values(x)
		case "val", "yVal":
			s.values = c.values(x)
		}
	}, nil)
	c.series = append(c.series, s)
}

// readData reads the values of a series in a chart of Office 2016.
func (c *chartReader) readData(x *xmlReader) {
	var s chartSeries
	x.children(func(e element) {
		switch e.name {
		case "strDim":
			s.categories = c.values(x)
		case "numDim":
			s.values = c.values(x)
		}
	}, nil)
	c.series = append(c.series, s)
}

// readName reads the name of the next series of which there is data.
func (c *chartReader) readName(x *xmlReader) {
	x.children(func(e element) {
		if name := c.values(x); e.name == "tx" && c.named < len(c.series) {
			c.series[c.named].name = name
		}
	}, nil)
	c.named++
}

func (c *chartReader) values(x *xmlReader) []string {
	var values []string
	x.descend(func(e element) bool {
		isValue := e.name == "v" || e.name == "pt" && e.attr("type") == ""
		if isValue && c.points < maxPoints {
			c.points++
			values = append(values, shortNumber(x.text()))
		}
		return isValue
	})
	return values
}

// shortNumber returns a number with the 15 digits that Office shows at most,
// where it is stored with those that it takes to read it back exactly.
func shortNumber(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || len(s) <= 15 || !strings.Contains(s, ".") {
		return s
	}
	return strconv.FormatFloat(f, 'g', 15, 64)
}

// table returns a column for each series, with the categories of the first.
func (c *chartReader) table() [][]string {
	if len(c.series) == 0 {
		return nil
	}
	series := c.series[:min(len(c.series), maxSpan)]
	head, length := []string{""}, 0
	for _, s := range series {
		head = append(head, strings.Join(s.name, " "))
		length = max(length, len(s.categories), len(s.values))
	}
	rows := [][]string{head}
	for i := range length {
		row := []string{at(series[0].categories, i)}
		for _, s := range series {
			row = append(row, at(s.values, i))
		}
		rows = append(rows, row)
	}
	return rows
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return ""
}

// diagram returns the texts of a SmartArt graphic (ECMA-376 part 1, 21.4), as
// a list.
func (p *opcPackage) diagram(part string) []block {
	var all []block
	p.walk(part, func(x *xmlReader) {
		x.descend(func(e element) bool {
			if e.name != "pt" {
				return false
			}
			var lines []string
			x.descend(func(e element) bool {
				if e.name == "p" {
					lines = append(lines, runs(x))
				}
				return e.name == "p"
			})
			if text := oneLine(strings.Join(lines, " ")); text != "" {
				all = append(all, block{kind: itemBlock, marker: bullet, text: text})
			}
			return true
		})
	})
	return all
}

// runs returns the text of the runs in the element that began last.
func runs(x *xmlReader) string {
	var s strings.Builder
	x.descend(func(e element) bool {
		if e.name == "t" {
			s.WriteString(x.text())
		}
		return e.name == "t"
	})
	return s.String()
}
