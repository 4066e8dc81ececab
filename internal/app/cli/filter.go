package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/docs/meta"
	"vademecum/embed"
	"vademecum/index"
)

// addFilterFlags adds the flags that filter documents.
func addFilterFlags(flags *pflag.FlagSet, f *index.Filter) {
	for _, p := range index.FilterParameters {
		if p.Name != "" {
			flags.Func(strings.ReplaceAll(p.Name, "_", "-"), p.Usage, func(value string) error { return p.Add(f, value) })
		}
	}
}

// completeFilters has the shell complete tags and front matter keys from the index of the given
// folders.
func (p *program) completeFilters(c *cobra.Command) {
	for _, by := range index.FilterParameters {
		if by.Complete == nil {
			continue
		}
		err := c.RegisterFlagCompletionFunc(by.Name, func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			ix, _, err := p.openIndexWith(embed.NewForIdentity, slices.DeleteFunc(args, func(arg string) bool { return !isFolder(arg) }))
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			_, err = ix.Status(c.Context()) // reads the index without changing anything
			names, listErr := filterValues(c.Context(), by, ix)
			if errors.Join(err, listErr, ix.Close()) != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			begins := func(name string) bool { return strings.HasPrefix(meta.Fold(name), meta.Fold(typed)) }
			return slices.DeleteFunc(names, func(name string) bool { return !begins(name) }), cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic(err) // no such flag
		}
	}
}

// filterValues lists all possible values of a flag.
func filterValues(ctx context.Context, p index.FilterParameter, ix *index.Index) ([]string, error) {
	names, err := p.Complete(ctx, ix, "")
	if p.Form != index.PairsValue || err != nil {
		return names, err
	}
	var pairs []string
	for _, key := range names {
		values, err := p.Complete(ctx, ix, key+"=")
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, values...)
	}
	return pairs, nil
}
