package cli

import (
	"github.com/spf13/pflag"

	"vademecum/docs/meta"
	"vademecum/index"
)

// filterFlags are the flags that say which documents are meant.
func filterFlags(flags *pflag.FlagSet, f *index.Filter) {
	flags.StringVar(&f.Path, "path", "", "only documents that this `GLOB` means, such as '*.pdf' or 'cardio/**'")
	flags.Func("tags", "only documents with all of these `TAGS`, or tags nested in them; may be repeated", f.AddTags)
	dateFlag(flags, &f.After, "after", "only documents of that `DATE` or later, such as 2024, 2024-11 or 2024-11-05")
	dateFlag(flags, &f.Before, "before", "only documents of that `DATE` or earlier")
	flags.Func("where", "only documents whose front matter says `KEY=VALUE`, such as status=draft; may be repeated", f.AddWhere)
}

func dateFlag(flags *pflag.FlagSet, d *meta.Date, name, usage string) {
	flags.Func(name, usage, func(s string) (err error) {
		if *d, err = meta.ParseDate(s); err != nil {
			return notDate{err}
		}
		return nil
	})
}

// notDate says of a value what it must be.
type notDate struct{ error }

func (e notDate) Error() string { return "must be " + e.error.Error() }
