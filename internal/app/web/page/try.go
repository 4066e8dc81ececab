package page

import (
	"context"
	"net/http"
	"path/filepath"

	"vademecum/index"
	"vademecum/index/evaluate"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/script"
	"vademecum/mcp"
)

// tryView is the page that shows what a model gets for a question, and the judgements of users.
type tryView struct {
	searchForm
	Client   string
	Clients  []hosts.ClientProfile
	Problem  message.Message
	Preview  *mcp.ResultPreview
	Tokens   int
	Judged   []judgedView
	MayJudge bool
}

// judgedView is a passage found, with the judgement of its document.
type judgedView struct {
	index.Passage
	Number int
	To     string
	verdict
}

// verdict is a user's judgement of a document for a question.
type verdict struct{ IsRight, IsWrong bool }

func verdictOf(grades map[string]float64, path string) verdict {
	grade, known := grades[path]
	return verdict{known && grade > 0, known && grade <= 0}
}

// judging is the form with which a user judges whether a document answers a question. Back is the
// page to return to.
type judging struct {
	Question, Path, Back string
	verdict
}

// try shows what retrieve_docs returns for a question.
func (v *request) try() {
	a, err := askedIn(v.r.URL.Query())
	view := tryView{searchForm: a, Client: v.r.FormValue("client"), Clients: hosts.KnownClients(), MayJudge: v.mayJudge()}
	status := http.StatusOK
	switch {
	case err != nil:
		status, view.Problem = http.StatusBadRequest, message.FromError(err)
	case a.Question != "":
		if err := view.ask(v); err != nil {
			status, view.Problem = v.explain(err)
		}
	}
	v.Pages.show(v.w, v.r, status, "try", view)
}

// ask answers the question as for a model.
func (view *tryView) ask(v *request) error {
	ctx, cancel := v.timed()
	defer cancel()
	shown := v.audit("try")
	p, err := v.view.Server.PreviewResult(ctx, view.Client, index.Query{Text: view.Question, Filter: view.filter})
	if err != nil {
		return err
	}
	shown(len(p.Passages), view.Question)
	view.Preview = &p
	for _, b := range p.Blocks {
		view.Tokens += script.EstimateTokens(b.Text)
	}
	grades := v.gradesOf(view.Question)
	seen := make(map[string]bool)
	for i, passage := range p.Passages {
		if seen[passage.Path] {
			continue
		}
		seen[passage.Path] = true
		view.Judged = append(view.Judged, judgedView{passage, i + 1, documentLink(passage.Path, "", view.Question), verdictOf(grades, passage.Path)})
	}
	return nil
}

// mayJudge reports whether the visitor may save judgements, which requires the right to manage the
// folders.
func (v *request) mayJudge() bool { return v.o.JudgementsDir != "" && v.keepsFolders() }

// judgements returns the names of the files with the judged questions (queries) and the judgements
// (qrels) for the folders that the visitor sees.
func (v *request) judgements() (queries, qrels string) {
	if v.o.JudgementsDir == "" {
		return "", ""
	}
	dir := filepath.Join(v.o.JudgementsDir, nameOfFolders(v.view.Library.Folders()))
	return filepath.Join(dir, "queries.tsv"), filepath.Join(dir, "qrels.tsv")
}

// gradesOf returns the saved grades for a question, by path of the document.
func (v *request) gradesOf(question string) map[string]float64 {
	queries, qrels := v.judgements()
	j, err := evaluate.ReadJudgements(queries, qrels)
	if err != nil {
		return nil // there are no judgements yet
	}
	for _, q := range j.Questions {
		if q.Text == question {
			return j.Grades[q.ID]
		}
	}
	return nil
}

// saveJudgement saves the judgement of a document.
func (v *request) saveJudgement() {
	if !v.mayJudge() {
		v.fail(http.StatusForbidden, message.New("you may not judge documents here"))
		return
	}
	ctx, cancel := v.timed()
	defer cancel()
	question, document := v.r.PostFormValue("q"), v.r.PostFormValue("path")
	if len(question) > index.MaxQueryRunes || !v.isThere(ctx, document) {
		v.fail(http.StatusBadRequest, message.New("there is no such document"))
		return
	}
	queries, qrels := v.judgements()
	var keep func() error
	switch {
	case v.r.PostFormValue("right") != "":
		keep = func() error { return evaluate.AddJudgement(queries, qrels, question, document, 1) }
	case v.r.PostFormValue("wrong") != "":
		keep = func() error { return evaluate.AddJudgement(queries, qrels, question, document, 0) }
	case v.r.PostFormValue("neither") != "":
		keep = func() error { return evaluate.RemoveJudgement(queries, qrels, question, document) }
	default:
		v.fail(http.StatusBadRequest, message.New("the request does not say whether the document is right"))
		return
	}
	v.audit("judge")(1, document)
	v.judging.Lock()
	err := keep()
	v.judging.Unlock()
	if err != nil {
		v.o.Logger.Error("a judgement was not kept", "error", err)
		v.fail(http.StatusInternalServerError, message.New("the judgement was not saved; the log says why"))
		return
	}
	if to := v.r.PostFormValue("to"); to != "" {
		http.Redirect(v.w, v.r, within(to), http.StatusSeeOther)
		return
	}
	a := searchForm{Question: question, Most: passagesShown}
	http.Redirect(v.w, v.r, a.link("/try", "client", v.r.PostFormValue("client")), http.StatusSeeOther)
}

// isThere reports whether there is a document with exactly this path.
func (v *request) isThere(ctx context.Context, document string) bool {
	part, err := index.Ask(ctx, v.view.Library, index.ReadQuery{Ref: document, Budget: index.Budget{Characters: 1, Bytes: 4}})
	return err == nil && part.Path == document
}
