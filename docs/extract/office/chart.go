package office

import (
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// Chart returns what a DrawingML chart says (ECMA-376 part 1, 21.2, and for
// those of Office 2016 [MS-ODRAWXML] 2.24.3): the titles and the values that the
// application kept, as a table.
func (p *Package) Chart(part string) []markdown.Block {
	var c chartReader
	p.Walk(part, func(x *zipxml.Reader) { c.read(x) })
	var all []markdown.Block
	for _, t := range c.titles {
		all = append(all, markdown.Block{Text: t})
	}
	if rows := c.table(); len(rows) > 1 {
		all = append(all, markdown.Block{Kind: markdown.Table, Rows: rows})
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

func (c *chartReader) read(x *zipxml.Reader) {
	x.Descend(func(e zipxml.Element) bool {
		switch e.Name {
		case "title":
			if t := markdown.OneLine(Runs(x)); t != "" && len(c.titles) < extract.MaxDepth {
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

func (c *chartReader) readSeries(x *zipxml.Reader) {
	var s chartSeries
	x.Children(func(e zipxml.Element) {
		switch e.Name {
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
func (c *chartReader) readData(x *zipxml.Reader) {
	var s chartSeries
	x.Children(func(e zipxml.Element) {
		switch e.Name {
		case "strDim":
			s.categories = c.values(x)
		case "numDim":
			s.values = c.values(x)
		}
	}, nil)
	c.series = append(c.series, s)
}

// readName reads the name of the next series of which there is data.
func (c *chartReader) readName(x *zipxml.Reader) {
	x.Children(func(e zipxml.Element) {
		if name := c.values(x); e.Name == "tx" && c.named < len(c.series) {
			c.series[c.named].name = name
		}
	}, nil)
	c.named++
}

func (c *chartReader) values(x *zipxml.Reader) []string {
	var values []string
	x.Descend(func(e zipxml.Element) bool {
		isValue := e.Name == "v" || e.Name == "pt" && e.Attr("type") == ""
		if isValue && c.points < maxPoints {
			c.points++
			values = append(values, shortNumber(x.Text()))
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
	series := c.series[:min(len(c.series), markdown.MaxSpan)]
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

// Diagram returns the texts of a SmartArt graphic (ECMA-376 part 1, 21.4), as
// a list.
func (p *Package) Diagram(part string) []markdown.Block {
	var all []markdown.Block
	p.Walk(part, func(x *zipxml.Reader) {
		x.Descend(func(e zipxml.Element) bool {
			if e.Name != "pt" {
				return false
			}
			var lines []string
			x.Descend(func(e zipxml.Element) bool {
				if e.Name == "p" {
					lines = append(lines, Runs(x))
				}
				return e.Name == "p"
			})
			if text := markdown.OneLine(strings.Join(lines, " ")); text != "" {
				all = append(all, markdown.Block{Kind: markdown.Item, Marker: markdown.Bullet, Text: text})
			}
			return true
		})
	})
	return all
}

// Runs returns the text of the runs in the element that began last.
func Runs(x *zipxml.Reader) string {
	var s strings.Builder
	x.Descend(func(e zipxml.Element) bool {
		if e.Name == "t" {
			s.WriteString(x.Text())
		}
		return e.Name == "t"
	})
	return s.String()
}
