package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/docs/meta"
	"vademecum/embed"
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

// completeFilters has a shell complete tags, and keys of front matter, by the index
// of the folders that are given.
func (p *program) completeFilters(c *cobra.Command) {
	from := func(list func(*index.Index) ([]string, error)) cobra.CompletionFunc {
		return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			ix, _, err := p.openWith(embed.Named, slices.DeleteFunc(args, func(arg string) bool { return !isFolder(arg) }))
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			_, err = ix.Status(c.Context()) // which looks at the index and changes nothing
			names, listErr := list(ix)
			if errors.Join(err, listErr, ix.Close()) != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			begins := func(name string) bool { return strings.HasPrefix(meta.Fold(name), meta.Fold(typed)) }
			return slices.DeleteFunc(names, func(name string) bool { return !begins(name) }), cobra.ShellCompDirectiveNoFileComp
		}
	}
	tags := from(func(ix *index.Index) (names []string, err error) {
		all, err := ix.Tags(c.Context(), index.Filter{})
		for _, t := range all {
			names = append(names, t.Tag)
		}
		return names, err
	})
	keys := from(func(ix *index.Index) (names []string, err error) {
		for _, key := range ix.Values("") {
			for _, value := range ix.Values(key) {
				names = append(names, key+"="+value)
			}
		}
		return names, nil
	})
	if err := errors.Join(c.RegisterFlagCompletionFunc("tags", tags), c.RegisterFlagCompletionFunc("where", keys)); err != nil {
		panic(err) // there are no such flags
	}
}
