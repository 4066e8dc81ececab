package live

import (
	"context"

	"vademecum/docs/text"
	"vademecum/index/search"
)

// mostViews is how often a question is answered at most because documents were replaced
// before their texts were read.
const mostViews = 3

// View is that of search.Searcher. What is in memory may change while f runs: texts are
// read from where the catalogues are now, and where they do not have one any more, f is
// called again after their changes were followed.
func (st *Store) View(ctx context.Context, f func(context.Context, search.View) error) error {
	for n := 1; ; n++ {
		v := &view{Store: st}
		if err := f(ctx, v); err != nil || !v.replaced || n == mostViews {
			return err
		}
		for folder := range st.Followers {
			if _, err := st.Follow(ctx, folder); err != nil {
				return err
			}
		}
	}
}

// view is a Store that notes whether it lacked a text.
type view struct {
	*Store
	replaced bool
}

func (v *view) Bodies(ctx context.Context, of []*search.Document) (map[*search.Document]text.Body, error) {
	found, err := v.Store.Bodies(ctx, of)
	v.replaced = v.replaced || err == nil && len(found) < len(of)
	return found, err
}
