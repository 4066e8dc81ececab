package office

import (
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// ReadChart returns the texts of a DrawingML chart (ECMA-376 part 1, 21.2; for Office 2016 charts
// [MS-ODRAWXML] 2.24.3): the titles, and the stored values as a table.
func (p *Package) ReadChart(partName string) []markdown.Block {
	var c chartReader
	p.ReadXMLFile(partName, func(x *zipxml.Reader) { c.read(x) })
	var all []markdown.Block
	for _, t := range c.titles {
		all = append(all, markdown.Block{Text: t})
	}
	if rows := c.toRows(); len(rows) > 1 {
		all = append(all, markdown.Block{Kind: markdown.Table, Rows: rows})
	}
	return all
}

type chartReader struct {
	titles      []string
	series      []chartSeries
	namedSeries int // number of series that have a name; in Office 2016 charts the names follow the values
	pointCount  int
}

type chartSeries struct{ name, categories, values []string }

const maxPoints = 20_000 // maximum number of values read from a chart

func (c *chartReader) read(x *zipxml.Reader) {
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "title":
			if t := markdown.OneLine(ReadRuns(x)); t != "" && len(c.titles) < extract.MaxNestingDepth {
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
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "tx":
			s.name = c.readValues(x)
		case "cat", "xVal":
			s.categories = c.readValues(x)
		case "val", "yVal":
			s.values = c.readValues(x)
		}
	}, nil)
	c.series = append(c.series, s)
}

// readData reads the values of a series in an Office 2016 chart.
func (c *chartReader) readData(x *zipxml.Reader) {
	var s chartSeries
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "strDim":
			s.categories = c.readValues(x)
		case "numDim":
			s.values = c.readValues(x)
		}
	}, nil)
	c.series = append(c.series, s)
}

// readName reads the name of the next series that has none yet.
func (c *chartReader) readName(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		if name := c.readValues(x); e.Name == "tx" && c.namedSeries < len(c.series) {
			c.series[c.namedSeries].name = name
		}
	}, nil)
	c.namedSeries++
}

func (c *chartReader) readValues(x *zipxml.Reader) []string {
	var values []string
	x.EachDescendant(func(e zipxml.Element) bool {
		isValue := e.Name == "v" || e.Name == "pt" && e.Attribute("type") == ""
		if isValue && c.pointCount < maxPoints {
			c.pointCount++
			values = append(values, roundTo15Digits(x.ReadText()))
		}
		return isValue
	})
	return values
}

// roundTo15Digits rounds a number to 15 digits, the most that Office shows. Numbers are stored with
// as many digits as are needed to read them back exactly.
func roundTo15Digits(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || len(s) <= 15 || !strings.Contains(s, ".") {
		return s
	}
	return strconv.FormatFloat(f, 'g', 15, 64)
}

// toRows returns the table of the chart: a column for each series, with the categories of the
// first.
func (c *chartReader) toRows() [][]string {
	if len(c.series) == 0 {
		return nil
	}
	series := c.series[:min(len(c.series), markdown.MaxColumnSpan)]
	head, length := []string{""}, 0
	for _, s := range series {
		head = append(head, strings.Join(s.name, " "))
		length = max(length, len(s.categories), len(s.values))
	}
	rows := [][]string{head}
	for i := range length {
		row := []string{elementAt(series[0].categories, i)}
		for _, s := range series {
			row = append(row, elementAt(s.values, i))
		}
		rows = append(rows, row)
	}
	return rows
}

func elementAt(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return ""
}

// ReadDiagram returns the texts of a SmartArt graphic (ECMA-376 part 1, 21.4), as
// a list.
func (p *Package) ReadDiagram(partName string) []markdown.Block {
	var all []markdown.Block
	p.ReadXMLFile(partName, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name != "pt" {
				return false
			}
			var lines []string
			x.EachDescendant(func(e zipxml.Element) bool {
				if e.Name == "p" {
					lines = append(lines, ReadRuns(x))
				}
				return e.Name == "p"
			})
			if text := markdown.OneLine(strings.Join(lines, " ")); text != "" {
				all = append(all, markdown.Block{Kind: markdown.ListItem, Marker: markdown.Bullet, Text: text})
			}
			return true
		})
	})
	return all
}

// ReadRuns returns the text of the text runs in the current element.
func ReadRuns(x *zipxml.Reader) string {
	var s strings.Builder
	x.EachDescendant(func(e zipxml.Element) bool {
		if e.Name == "t" {
			s.WriteString(x.ReadText())
		}
		return e.Name == "t"
	})
	return s.String()
}
