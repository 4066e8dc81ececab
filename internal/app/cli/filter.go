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
	"vademecum/index/operations"
	"vademecum/internal/base/message"
)

// addParameters adds a flag to a command for each of the parameters of an operation.
func addParameters(flags *pflag.FlagSet, parameters []operations.Parameter) {
	for _, p := range parameters {
		if p.Usage == "" {
			continue
		}
		name := strings.ReplaceAll(p.Name, "_", "-")
		switch v := p.Target.(type) {
		case *int:
			flags.Func(name, p.Usage, once(countInto(v, p.Max)))
		case interface{ Set(string) error }:
			set := v.Set
			if !p.IsList() {
				set = once(set)
			}
			flags.Func(name, p.Usage, set)
		case *bool:
			flags.BoolVar(v, name, false, p.Usage)
		case *[]string:
			flags.StringArrayVar(v, name, nil, p.Usage)
		}
		if err := flags.SetAnnotation(name, otherNames, p.Aliases); err != nil {
			panic(err) // no such flag
		}
	}
}

// otherNames is the annotation of a flag that lists the names by which other programs call it.
const otherNames = "vademecum_other_names"

// once returns a function that sets the value of a flag, and refuses a second value, which would replace the
// first.
func once(set func(string) error) func(string) error {
	isSet := false
	return func(value string) error {
		if isSet {
			return message.Errorf("may be given only once")
		}
		isSet = true
		return set(value)
	}
}

// completeFilters makes the shell complete tags and front matter keys from the index of the folders
// in the command line.
func (p *program) completeFilters(c *cobra.Command) {
	for _, by := range index.FilterParameters {
		if by.CompleteValue == nil {
			continue
		}
		err := c.RegisterFlagCompletionFunc(by.Name, func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			ix, _, err := p.openIndexWith(embed.NewIdentityOnly, slices.DeleteFunc(args, func(arg string) bool { return !isFolder(arg) }))
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

// filterValues lists all values in an index that a filter flag may have.
func filterValues(ctx context.Context, p index.FilterParameter, ix *index.Index) ([]string, error) {
	names, err := p.CompleteValue(ctx, ix, "")
	if p.ValueForm != index.KeyValuePairsValue || err != nil {
		return names, err
	}
	var pairs []string
	for _, key := range names {
		values, err := p.CompleteValue(ctx, ix, key+"=")
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, values...)
	}
	return pairs, nil
}
