package memory_test

import (
	"context"
	"fmt"

	"vademecum/docs/text"
	"vademecum/index/store/catalog"
	"vademecum/index/store/memory"
)

// A store is a catalog.Catalog: documents are put, replaced at their paths, and listed in
// the order in which they came. One that passes catalogtest can stand in the place of any.
func Example_store() {
	ctx := context.Background()
	c, _ := memory.NewFolderContent().Open("builtin/1")
	defer c.Close()
	for _, path := range []string{"asthma.md", "gout.md", "asthma.md"} {
		entry := catalog.RecordWithBody{Record: catalog.Record{Path: path}, Body: text.Body{Text: "A text.\n"}}
		if _, err := c.Put(ctx, entry); err != nil {
			fmt.Println(err)
		}
	}
	_ = c.EachPage(ctx, func(page []catalog.Record) error {
		for _, r := range page {
			fmt.Println(r.ID, r.Path)
		}
		return nil
	})
	// Output:
	// 2 gout.md
	// 3 asthma.md
}
