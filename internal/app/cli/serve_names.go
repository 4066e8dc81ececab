package cli

import (
	"log/slog"
	"slices"

	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// keepWarningOfNames logs a warning for names in the rules that no user has, now and after each
// reload of the tokens or the rules. It does nothing with an identity provider, whose users are not
// known.
func (f *httpFlags) keepWarningOfNames(authenticator *signin.Authenticator, rights *access.RuleStore, log *slog.Logger) {
	if authenticator == nil || f.issuer != "" || !f.limitsFolders() {
		return
	}
	tokens, _ := authenticator.Checkers[0].(*signin.TokenStore)
	if tokens == nil {
		return
	}
	warn := func() { warnOfUnknownNames(rights.CachedRules(), tokens.Users(), log) }
	tokens.OnReload, rights.OnReload = warn, warn
	warn()
}

// checkRuleNames returns a usage error for rules with names that no user with a token can have.
func checkRuleNames(rules access.Rules) error {
	users, groups := rules.UsersAndGroups()
	for _, name := range slices.Concat(users, groups) {
		if !signin.IsValidName(name) {
			return usageError{message.Errorf("--allow or --allow-file: nobody can be called %q", name), message.New("names are separated by commas, and consist of letters, digits and .-_@+; a group is group:NAME")}
		}
	}
	return nil
}

// warnOfUnknownNames logs a warning for names in rules that none of the users has.
func warnOfUnknownNames(rules access.Rules, users []signin.User, log *slog.Logger) {
	var names, groups []string
	for _, u := range users {
		names, groups = append(names, u.Name), append(groups, u.Groups...)
	}
	warn := func(what, of string, named, known []string) {
		for _, name := range named {
			if slices.Contains(known, name) {
				continue
			}
			said := []any{of, name}
			if meant := present.NearestUser(name, known); meant != "" {
				said = append(said, "meant", meant)
			}
			log.Warn(what, said...)
		}
	}
	namedUsers, namedGroups := rules.UsersAndGroups()
	warn("a rule of --allow or --allow-file is for a user who has no token", "user", namedUsers, names)
	warn("a rule of --allow or --allow-file is for a group that nobody with a token is in", "group", namedGroups, groups)
}
