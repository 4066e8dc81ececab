package xlsx

import (
	"cmp"
	"strconv"
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/sheet"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// maxStrikeRules is the maximum number of strikeRules of a sheet. Further ones are ignored.
const maxStrikeRules = 1000

// A strikeRule strikes out the cells of an area that meet a condition: that they themselves, or another
// cell of their row, compare in a given way to constants. Other conditions are not evaluated.
type strikeRule struct {
	area     sheet.Merge // the cells that may be struck out
	column   int         // column of the cell that is compared, from 0; relative to the cell itself unless isFixed
	isFixed  bool
	operator string
	operands []cellValue // one, or two for between and notBetween
	priority int         // rules with a smaller number are applied first
}

// conditionalFormats are the conditional formats of a sheet that matter to struck-out text (ECMA-376
// part 1, 18.3.1.18).
type conditionalFormats struct {
	strikes []strikeRule
	ranges  string            // cells to which the rules being read apply
	rule    zipxml.Element    // the rule being read
	texts   []string          // its formulas
	stops   []int             // priorities of rules that strike nothing out and prevent the rules after them
	row     map[int]cellValue // values of the current row, by column
}

// comparisons are the operators of rules by their names (ECMA-376 part 1, 18.18.15).
var comparisons = map[string]string{
	"equal": "=", "notEqual": "<>", "greaterThan": ">", "greaterThanOrEqual": ">=", "lessThan": "<", "lessThanOrEqual": "<=",
	"between": "between", "notBetween": "notBetween",
}

// comparisonFormula matches a formula that compares a cell to a constant, such as $B2="stopped", or only
// names a cell, such as that of a check box.
var comparisonFormula = lazyregexp.New(`^\s*(\$?)([A-Za-z]{1,3}[0-9]{1,7})(?:\s*(<>|<=|>=|=|<|>)\s*(.*?))?\s*$`)

// finishRule uses the rule that was read. isStrike means that its format strikes text out.
func (c *conditionalFormats) finishRule(isStrike bool) {
	priority := c.rule.NumberAttribute("priority", 0)
	if !isStrike {
		if isOn(c.rule.Attribute("stopIfTrue")) {
			c.stops = append(c.stops, priority)
		}
		return
	}
	areas := areasOf(c.ranges)
	if len(areas) == 0 {
		return
	}
	rule := strikeRule{priority: priority}
	operands := c.texts
	switch c.rule.Attribute("type") {
	case "cellIs":
		rule.operator = comparisons[c.rule.Attribute("operator")]
	case "expression":
		if len(c.texts) != 1 {
			return
		}
		m := comparisonFormula.FindStringSubmatch(c.texts[0])
		if m == nil {
			return
		}
		row, column, ok := sheet.ParseCellName(m[2])
		if !ok || row != areas[0].FirstRow { // a cell of another row
			return
		}
		rule.isFixed, rule.column, rule.operator, operands = m[1] != "", column, cmp.Or(m[3], "="), []string{cmp.Or(m[4], "TRUE")}
		if !rule.isFixed {
			rule.column -= areas[0].FirstColumn
		}
	}
	for _, text := range operands {
		v, ok := parseConstant(text)
		if !ok {
			return
		}
		rule.operands = append(rule.operands, v)
	}
	needed := 1
	if rule.operator == "between" || rule.operator == "notBetween" {
		needed = 2
	}
	if rule.operator == "" || len(rule.operands) != needed {
		return
	}
	for _, area := range areas {
		// The formula is written for the first cell of all areas.
		if len(c.strikes) < maxStrikeRules && area.FirstRow >= areas[0].FirstRow && area.FirstColumn >= areas[0].FirstColumn {
			rule.area = area
			c.strikes = append(c.strikes, rule)
		}
	}
}

// areasOf parses references to cells such as "A2:C9 E5". Areas that cannot be parsed are left out.
func areasOf(ranges string) (areas []sheet.Merge) {
	for r := range strings.FieldsSeq(ranges) {
		first, last, isRange := strings.Cut(r, ":")
		if !isRange {
			last = first
		}
		firstRow, firstColumn, ok := sheet.ParseCellName(first)
		lastRow, lastColumn, isName := sheet.ParseCellName(last)
		if ok && isName {
			areas = append(areas, sheet.Merge{FirstRow: firstRow, LastRow: lastRow, FirstColumn: firstColumn, LastColumn: lastColumn})
		}
	}
	return areas
}

// usable returns the rules that no other rule may prevent.
func (c *conditionalFormats) usable() (rules []strikeRule) {
	for _, rule := range c.strikes {
		isPrevented := false
		for _, stop := range c.stops {
			isPrevented = isPrevented || stop < rule.priority
		}
		if !isPrevented {
			rules = append(rules, rule)
		}
	}
	return rules
}

// markRow marks the cells of the current row that a rule strikes out. Cells with marks of their own stay as
// they are.
func (c *conditionalFormats) markRow(row sheet.Row) {
	for _, rule := range c.strikes {
		if row.Number-1 < rule.area.FirstRow || row.Number-1 > rule.area.LastRow {
			continue
		}
		for i := range row.Cells {
			cell := &row.Cells[i]
			if cell.Column < rule.area.FirstColumn || cell.Column > rule.area.LastColumn || strings.Contains(cell.Text, markdown.Strikethrough) {
				continue
			}
			column := rule.column
			if !rule.isFixed {
				column += cell.Column
			}
			if rule.isMetBy(c.row[column]) {
				cell.Text = markdown.MarkStruckCell(cell.Text, markdown.AllInCellFont)
			}
		}
	}
	clear(c.row)
}

// isMetBy reports whether a value meets the condition of the rule.
func (s *strikeRule) isMetBy(v cellValue) bool {
	order, isComparable := v.compare(s.operands[0])
	switch s.operator {
	case "=":
		return isComparable && order == 0
	case "<>":
		return !isComparable && v.kind != unknownValue || isComparable && order != 0
	case "<":
		return isComparable && order < 0
	case "<=":
		return isComparable && order <= 0
	case ">":
		return isComparable && order > 0
	case ">=":
		return isComparable && order >= 0
	}
	upper, isUpperComparable := v.compare(s.operands[1])
	isBetween := order >= 0 && upper <= 0
	return isComparable && isUpperComparable && isBetween == (s.operator == "between")
}

// A valueKind is the type of the value of a cell.
type valueKind uint8

const (
	emptyValue valueKind = iota
	numberValue
	textValue
	booleanValue
	unknownValue // an error or a date, with which nothing is compared
)

// A cellValue is the value of a cell, without its format. The zero value is that of an empty cell.
type cellValue struct {
	kind   valueKind
	number float64 // 1 for TRUE
	text   string
}

// compare compares two values, if they have the same type. An empty cell is 0, "" or FALSE.
func (v cellValue) compare(other cellValue) (order int, isComparable bool) {
	if v.kind != other.kind && v.kind != emptyValue || v.kind == unknownValue {
		return 0, false
	}
	if other.kind == textValue {
		return strings.Compare(strings.ToLower(v.text), strings.ToLower(other.text)), true
	}
	return cmp.Compare(v.number, other.number), true
}

// parseConstant parses a number, a text in quotation marks or a boolean in a formula.
func parseConstant(formula string) (v cellValue, ok bool) {
	formula = strings.TrimSpace(formula)
	if n, isNumber := parseCellNumber(formula); isNumber {
		return cellValue{kind: numberValue, number: n}, true
	}
	switch strings.ToUpper(strings.TrimSuffix(formula, "()")) {
	case "TRUE":
		return cellValue{kind: booleanValue, number: 1}, true
	case "FALSE":
		return cellValue{kind: booleanValue}, true
	}
	if len(formula) < 2 || formula[0] != '"' || formula[len(formula)-1] != '"' {
		return v, false
	}
	text := strings.ReplaceAll(formula[1:len(formula)-1], `""`, "\x00")
	return cellValue{kind: textValue, text: strings.ReplaceAll(text, "\x00", `"`)}, !strings.Contains(text, `"`)
}

// parseValue returns the value of a cell with a type as in the file. text is its value, or its text if it
// is one.
func parseValue(kind, text string) cellValue {
	switch kind {
	case "s", "str", "inlineStr":
		return cellValue{kind: textValue, text: text}
	case "b":
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return cellValue{kind: booleanValue, number: n}
		}
	case "", "n":
		if n, ok := parseCellNumber(text); ok {
			return cellValue{kind: numberValue, number: n}
		}
	}
	return cellValue{kind: unknownValue}
}
