package formats

import (
	"context"

	"vademecum/docs/extract"
	"vademecum/docs/formats/child"
)

// Draw returns a page of the file called name as it looks, as PNG. The error is a
// *extract.SkipError if there is nothing that can be drawn; any other error, such as
// that of ctx, is no fault of the file.
func Draw(ctx context.Context, name string, raw []byte, what extract.Drawing) ([]byte, error) {
	f, err := formatFor(name, raw)
	if err != nil {
		return nil, err
	}
	if f.draw == nil {
		return nil, extract.Skip("its pages have no look of their own", "它的页面没有固定的样子")
	}
	return child.Draw(ctx, f.name(), raw, what)
}
