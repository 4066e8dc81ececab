package page

import (
	"net/http"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/index/quote"
	"vademecum/internal/base/message"
)

// checkView is the page that checks the quotations in an answer.
type checkView struct {
	Answer  string
	Problem message.Message
	Again   bool
	Quotes  []checkedQuote
	More    int // number of quotations beyond the limit, which are not checked
	Notes   []notice.Note
}

// checkedQuote is a quotation with its verdict.
type checkedQuote struct {
	Text    string
	Verdict message.Message
	Kind    index.Verdict
	Note    message.Message
	Parts   []checkedPart
}

// Class returns the CSS class for the verdict.
func (q checkedQuote) Class() string {
	if q.Kind == index.QuoteExact {
		return "exact"
	}
	return "doubtful"
}

// checkedPart is a part of a quotation that was found in a document.
type checkedPart struct {
	index.CheckedPart
	To string // link to the document
}

// checkForm shows the empty form.
func (v *request) checkForm() { v.Pages.show(v.w, v.r, http.StatusOK, "check", checkView{}) }

// check shows the verdict on each quotation in an answer.
func (v *request) check() {
	view := checkView{Answer: v.r.PostForm.Get("answer")}
	status := http.StatusOK
	if err := v.checkAnswer(&view); err != nil {
		status, view.Problem = v.explain(err)
		view.Again = status == http.StatusServiceUnavailable
	}
	v.Pages.show(v.w, v.r, status, "check", view)
}

var errNoQuotes = message.NewError(message.New("There is no quotation in it: text between quotation marks is checked, and paragraphs that begin with >"))

func (v *request) checkAnswer(view *checkView) error {
	ctx, cancel := v.timed()
	defer cancel()
	quotes := quote.QuotesInAnswer(view.Answer)
	if len(quotes) == 0 {
		return errNoQuotes
	}
	view.More = max(0, len(quotes)-index.MaxQuotes)
	quotes = quotes[:len(quotes)-view.More]
	var q index.QuoteQuery
	for _, text := range quotes {
		q.Quotes = append(q.Quotes, index.Quote{Text: text})
	}
	checked, err := ask(ctx, v, "check", index.WaitPurposeAnswer, q)
	if err != nil {
		return err
	}
	view.Notes = checked.Notes
	for i, c := range checked.Quotes {
		one := checkedQuote{Text: quotes[i], Kind: c.Verdict, Verdict: operations.VerdictMessages[c.Verdict], Note: c.Note}
		for _, p := range c.Parts {
			one.Parts = append(one.Parts, checkedPart{p, documentLink(p.Path, p.Fragment, "")})
		}
		view.Quotes = append(view.Quotes, one)
	}
	return nil
}
