package page

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/formats"
	"vademecum/index"
	"vademecum/internal/base/message"
)

// documentsView is a page of the list of all documents.
type documentsView struct {
	searchForm
	Name      string // text that the names must contain
	Documents []documentLine
	All       int
	Columns   []columnView
	Sort      string
	Tree      []branchView
	Choices   choices
	Previous  string
	Next      string
	Problem   message.Message
}

// documentLine is a line of the list of documents.
type documentLine struct {
	index.Document
	To string
}

// columnView is a column by which the list can be sorted.
type columnView struct {
	Name     string
	IsNumber bool
	To       string
	Sorted   string // value of aria-sort; "" if the list is not sorted by it
}

// branchView is a directory in the tree of folders.
type branchView struct {
	Name      string
	Documents int // number of documents in it; 0 if the list is filtered
	To        string
	IsHere    bool
	IsOpen    bool // it is the current directory or contains it
	Inner     []branchView
	More      int
}

// orders are the sort orders of the list of documents. A hyphen before the field in the URL
// reverses an order.
var orders = []struct {
	field, name string
	order       index.SortOrder
	first       string // direction when it is first chosen
	isNumber    bool
}{
	{"title", "Document", index.OrderByTitle, "ascending", false}, {"date", "Date", index.OrderByDate, "descending", false}, {"size", "Size", index.OrderBySize, "descending", true},
}

// documents shows the list of documents, page by page, beside the tree of folders.
func (v *request) documents() {
	a, err := askedIn(v.r.URL.Query())
	view := documentsView{searchForm: a, Name: strings.TrimSpace(v.r.FormValue("name")), Sort: v.r.FormValue("sort")}
	if err == nil {
		err = v.listInto(&view)
	}
	if err != nil {
		_, view.Problem = v.explain(err)
	}
	if v.r.FormValue("part") == "list" {
		v.Pages.showPart(v.w, v.r, http.StatusOK, "listing", &view)
		return
	}
	view.Choices = v.choices()
	v.show("documents", &view)
}

// listInto lists the documents on the requested page of the list, in the requested order, in the view.
func (v *request) listInto(view *documentsView) error {
	ctx, cancel := v.timed()
	defer cancel()
	q := index.BrowseQuery{Filter: view.filter, TitleOrPathPart: shortened(view.Name, longestName), Offset: min(number(v.r.FormValue("skip")), mostSkipped), Limit: pageLength}
	field, isReversed := strings.CutPrefix(view.Sort, "-")
	for _, o := range orders {
		c := columnView{Name: o.name, IsNumber: o.isNumber, To: view.to("sort", o.field)}
		if o.field == field {
			q.Order, q.IsReversed, c.Sorted = o.order, isReversed, o.first
			if isReversed {
				c.Sorted = map[string]string{"ascending": "descending", "descending": "ascending"}[o.first]
			} else {
				c.To = view.to("sort", "-"+o.field)
			}
		}
		view.Columns = append(view.Columns, c)
	}
	listing, err := v.view.Library.Browse(ctx, q)
	if err != nil {
		return err
	}
	tree, err := v.view.Library.DirectoryTree(ctx, view.Given["in"])
	if err != nil {
		return err
	}
	view.Tree, view.All = view.branches(tree.Subdirectories), listing.Total
	for _, d := range listing.Documents {
		d.Title = cmp.Or(d.Title, path.Base(d.Path))
		view.Documents = append(view.Documents, documentLine{d, openLink(d.Path)})
	}
	if q.Offset > 0 {
		view.Previous = view.to("sort", view.Sort, "skip", offset(q.Offset-pageLength))
	}
	if next := q.Offset + pageLength; next < listing.Total {
		view.Next = view.to("sort", view.Sort, "skip", offset(next))
	}
	return nil
}

// openLink returns a link to a document: to the image of its first page if its pages can be drawn.
func openLink(name string) string {
	if formats.CanDrawPages(name) && !formats.IsPicture(name) {
		return pageImageLink(name, 1, 0)
	}
	return documentLink(name, "", "")
}

// Limits of the URL parameters of the list.
const (
	longestName = 200 // characters
	mostSkipped = 1_000_000
)

// offset formats the number of documents to skip for a URL; "" for none.
func offset(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// to returns the URL of the list with some parameters changed, given as pairs of a name and a
// value.
func (view *documentsView) to(changes ...string) string {
	return view.link("/library/documents", append([]string{"name", view.Name}, changes...)...)
}

// branches returns the directories as branches of the tree.
func (view *documentsView) branches(all []index.Directory) (branches []branchView) {
	here := view.Given["in"]
	for _, d := range all {
		b := branchView{Name: d.Name, Documents: d.DocumentCount, To: view.to("sort", view.Sort, "in", d.Path), IsHere: d.Path == here, Inner: view.branches(d.Subdirectories), More: d.MoreSubdirectories}
		if view.isCut() { // the numbers are those of all documents
			b.Documents = 0
		}
		b.IsOpen = b.IsHere || strings.HasPrefix(here, d.Path+"/")
		branches = append(branches, b)
	}
	slices.SortStableFunc(branches, func(a, b branchView) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return branches
}

// isCut reports whether a filter other than a folder applies to the list.
func (view *documentsView) isCut() bool {
	for field := range view.Given {
		if field != "in" {
			return true
		}
	}
	return view.Name != ""
}

// Whole returns a link to the list of all folders.
func (view *documentsView) Whole() string { return view.to("sort", view.Sort, "in", "") }
