package match

import (
	"context"
	"errors"
	"regexp/syntax"
	"slices"

	"golang.org/x/text/unicode/norm"

	"vademecum/index/lexical/analysis"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// patternMatcher finds the matches of a regular expression.
type patternMatcher struct {
	*expression
	folding folding
}

// NewPattern returns a Matcher of a regular expression (RE2, as in package regexp). Unless
// isCaseSensitive is set, variants match as for NewLiteral. In any case, ^ and $ match at line breaks,
// and hyphenation at line breaks is ignored. The error describes what is wrong with the expression. An
// expression with more than mostInstructions is rejected.
func NewPattern(expression string, isCaseSensitive bool) (Matcher, error) {
	flags := syntax.Perl &^ syntax.OneLine
	if !isCaseSensitive {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(expression, flags)
	if err != nil {
		return nil, patternError(err)
	}
	if !isCaseSensitive {
		foldExpression(tree)
	}
	if hasNoCharacter(tree) {
		return nil, message.Errorf("the pattern %s matches no characters: give what to find", present.QuoteShort(expression))
	}
	if countInstructions(tree) > mostInstructions {
		return nil, message.Errorf("the pattern %s is too large when its repetitions are expanded: use fewer", present.QuoteShort(expression))
	}
	compiled, err := compile(tree)
	if err != nil {
		return nil, patternError(err)
	}
	return patternMatcher{compiled, folding{keepsVariants: isCaseSensitive, keepsWhiteSpace: true, foldsSharpSToOne: true}}, nil
}

// mostInstructions limits the size of the program of an expression: matching takes time for each
// character and instruction, and compiling a million instructions takes seconds.
const mostInstructions = 50_000

// countInstructions estimates the size of the program of an expression, in which repetitions are
// written out.
func countInstructions(tree *syntax.Regexp) int {
	n := 1
	switch tree.Op {
	case syntax.OpLiteral:
		n = len(tree.Rune)
	case syntax.OpConcat, syntax.OpCapture, syntax.OpRepeat:
		n = 0
	}
	for _, sub := range tree.Sub {
		n += countInstructions(sub)
	}
	if tree.Op == syntax.OpRepeat {
		n *= max(1, tree.Min, tree.Max)
	}
	return n
}

// hasNoCharacter reports whether an expression matches no characters, but at most positions.
func hasNoCharacter(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	}
	return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !hasNoCharacter(sub) })
}

// patternError returns an error that describes what is wrong with an expression.
func patternError(err error) error {
	var e *syntax.Error
	if errors.As(err, &e) {
		return message.Errorf("the pattern is not a regular expression (RE2): %v: %s", e.Code, present.QuoteShort(e.Expr))
	}
	return message.Errorf("the pattern is not a regular expression (RE2): %v", err)
}

// Find implements Matcher.
func (p patternMatcher) Find(ctx context.Context, dst []Range, text string) ([]Range, error) {
	f := buffers.Get().(*foldedText)
	defer buffers.Put(f)
	if err := p.folding.fold(ctx, f, text); err != nil {
		return dst, err
	}
	found, stopped := p.findAll(ctx, f.text)
	if len(found) == 0 || errors.Is(stopped, context.Canceled) {
		return dst, stopped
	}
	if err := p.folding.locate(context.WithoutCancel(ctx), f, text, found); err != nil { // the matches found in time are still reported
		return dst, err
	}
	return append(dst, dropOverlaps(found)...), stopped
}

// mostFolded is the maximum size of a character class to which the folded forms of its characters
// are added; larger classes stay unchanged.
const mostFolded = 1000

// foldExpression changes a case-insensitive expression so that it matches folded texts.
func foldExpression(tree *syntax.Regexp) {
	switch tree.Op {
	case syntax.OpLiteral:
		var runes []rune
		for _, r := range tree.Rune {
			for _, plain := range norm.NFKC.String(string(r)) {
				runes = append(runes, plainMark(analysis.FoldRune(plain)))
			}
		}
		tree.Rune = runes
		tree.Flags &^= syntax.FoldCase
	case syntax.OpCharClass:
		tree.Rune = foldClass(tree.Rune)
	}
	for _, sub := range tree.Sub {
		foldExpression(sub)
	}
}

// foldClass adds the folded forms to a class, given as pairs of first and last characters.
func foldClass(class []rune) []rune {
	size := 0
	for i := 0; i < len(class); i += 2 {
		if size += int(class[i+1]-class[i]) + 1; size > mostFolded {
			return class
		}
	}
	all := slices.Clone(class)
	for i := 0; i < len(class); i += 2 {
		for r := class[i]; r <= class[i+1]; r++ {
			if plain := plainMark(analysis.FoldRune(r)); plain != r {
				all = append(all, plain, plain)
			}
		}
	}
	return all
}
