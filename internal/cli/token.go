package cli

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vademecum/internal/message"
	"vademecum/internal/present"
	"vademecum/internal/spelling"
	"vademecum/internal/web/oauth"
	"vademecum/internal/web/signin"
)

// tokenCommands are the commands of token, as mistakes name them.
const tokenCommands = "list, new, revoke"

func (p *program) token() *cobra.Command {
	c := &cobra.Command{
		Use: "token COMMAND", Short: "make, list and revoke tokens for clients of serve --http, and what people agreed to with --sign-in",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{message.Errorf("unknown command token %s: there are %s", "未知命令 token %s：可用的有 %s", quoteArgs(args[:1]), tokenCommands), message.New("vademecum token --help says what they do", "vademecum token --help 说明各自的作用")}
			}
			return usageError{message.Errorf("give a command: %s", "请给出命令：%s", tokenCommands), "vademecum token new NAME --tokens FILE"}
		},
	}
	c.AddCommand(p.newToken(), p.listTokens(), p.revokeTokens())
	return c
}

// tokenFile is the flag that names the file.
type tokenFile string

func (f *tokenFile) addFlag(c *cobra.Command) {
	c.Flags().StringVar((*string)(f), "tokens", "", "`FILE` with a line for each token")
}

var errNoTokens = usageErrorf("--tokens is missing: the file with a line for each token", "缺少 --tokens：每行一个令牌的文件")

// readEntries returns the entries of the file, which has to be there unless it may be new.
func (f tokenFile) readEntries(p *program, mayBeNew bool) ([]signin.TokenEntry, error) {
	if f == "" {
		return nil, errNoTokens
	}
	all, wrong, err := signin.ReadEntries(string(f))
	switch {
	case errors.Is(err, fs.ErrNotExist) && mayBeNew:
		return nil, nil
	case isNotExist(err):
		return nil, noTokenFile(string(f))
	case err != nil:
		return nil, message.Errorf("these are no tokens: %v", "这不是令牌文件：%v", err)
	}
	for _, w := range wrong {
		p.notes = append(p.notes, p.localise("a line of %s lets nobody in: %v", "%s 中有一行不起作用：%v", present.QuoteName(string(f)), w))
	}
	return all, nil
}

// noTokenFile is the usage error for a token file that does not exist.
func noTokenFile(file string) error {
	return usageError{message.Errorf("no such file: %s", "没有这样的文件：%s", absolutePath(file)), message.New("%s", "%s", "vademecum token new NAME --tokens "+quoteArg(file))}
}

func (p *program) newToken() *cobra.Command {
	var file tokenFile
	var scopes, groups []string
	var replace bool
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "make a token for a user, and keep its hash",
		Long: `make a token for a user, and keep its hash

The token is shown once. A line with its hash is added to the file, which is made if
there is none; a server that was started with it takes the token at once.`,
		Example: `  vademecum token new alice --tokens tokens
  vademecum serve --http notes --tokens tokens`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf("give the name of one user", "请给出一个用户名")
			}
			before, err := file.readEntries(p, true)
			if err != nil {
				return err
			}
			before = slices.DeleteFunc(before, func(e signin.TokenEntry) bool { return e.Name != args[0] })
			if replace && len(before) > 0 && !c.Flags().Changed("scope") {
				scopes = before[len(before)-1].Scopes
			}
			if replace && len(before) > 0 && !c.Flags().Changed("group") {
				groups = before[len(before)-1].Groups
			}
			token, entry, err := signin.NewTokenEntry(args[0], scopes, groups)
			if err != nil {
				return usageError{error: err}
			}
			if err := entry.Append(string(file)); err != nil {
				return message.Errorf("keep the hash: %v", "保存令牌的散列：%v", err)
			}
			fmt.Fprintln(&p.out, token)
			p.notes = append(p.notes, p.localise("the token is not kept anywhere; a client sends it as Authorization: Bearer TOKEN", "令牌不会保存在任何地方；客户端以 Authorization: Bearer TOKEN 发送它"))
			return p.handleOldTokens(string(file), before, replace)
		},
	}
	file.addFlag(c)
	c.Flags().StringSliceVar(&scopes, "scope", signin.Scopes, "what the user may do, `SCOPES`: read, index (which has index_docs called), metrics (read /metrics and nothing else)")
	c.Flags().StringSliceVar(&groups, "group", nil, "`GROUPS` that the user is in")
	c.Flags().BoolVar(&replace, "replace", false, "revoke the tokens that the user has; scopes and groups that are not given stay as they were")
	return c
}

// handleOldTokens revokes the tokens that a user had before, or tells of them.
func (p *program) handleOldTokens(file string, before []signin.TokenEntry, replace bool) error {
	if len(before) == 0 {
		return nil
	}
	if replace {
		if err := signin.RevokeTokens(file, before); err != nil {
			return message.Errorf("revoke the tokens before: %v", "撤销以前的令牌：%v", err)
		}
		p.notes = append(p.notes, p.localise("revoked: %v", "已撤销：%v", describeTokens(before)))
		return nil
	}
	has, all := message.New("one already", "一个令牌"), message.New("both hold", "两个都有效")
	if len(before) > 1 {
		has, all = message.New("%d already", "%d 个令牌", len(before)), message.New("all hold", "全部有效")
	}
	p.notes = append(p.notes, p.localise("%s has %v: %v; %v. To end those before: vademecum token revoke %s --tokens %s; --replace does it with the next", "%s 已有%v：%v；%v。要撤销以前的：vademecum token revoke %s --tokens %s；或下次加上 --replace", before[0].Name, has, describeTokens(before), all, strings.Join(tokenIDs(before), " "), quoteArg(file)))
	return nil
}

func tokenIDs(entries []signin.TokenEntry) (ids []string) {
	for _, e := range entries {
		ids = append(ids, e.ID())
	}
	return ids
}

// describeTokens names tokens by their ids, with when they were made.
func describeTokens(entries []signin.TokenEntry) (all message.Message) {
	for _, e := range entries {
		one := message.Message(e.ID())
		if day := e.Day(); day != "" {
			one = message.New("%v of %s", "%v（%s）", one, day)
		}
		if all == "" {
			all = one
		} else {
			all = message.New("%v, %v", "%v、%v", all, one)
		}
	}
	return all
}

func (p *program) listTokens() *cobra.Command {
	var file tokenFile
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "list whom there are tokens of, and which programs they have let in",
		Long: `list whom there are tokens of, and which programs they have let in

An id is the beginning of the hash in the line of the token, and tells nothing of it.
Programs that people have let in with serve --sign-in are listed after the tokens, and
without --tokens alone.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageErrorf("token list takes no argument, got %s", "token list 不接受参数，而给出了 %s", quoteArgs(args[:1]))
			}
			entries, grants, err := file.entriesAndGrants(p)
			if err != nil {
				return err
			}
			if asJSON {
				return p.printJSON(map[string]any{"tokens": tokensAsJSON(entries), "grants": grantsAsJSON(grants)})
			}
			if file != "" {
				if err := p.printTokens(entries); err != nil {
					return err
				}
			}
			return p.printGrants(grants)
		},
	}
	file.addFlag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// entriesAndGrants returns the entries of the file, and the grants of this user of the machine: the
// file is needed where there are none.
func (f tokenFile) entriesAndGrants(p *program) ([]signin.TokenEntry, []oauth.Grant, error) {
	grants, err := readGrants()
	if err != nil {
		return nil, nil, err
	}
	if f == "" && len(grants) > 0 {
		return nil, grants, nil
	}
	entries, err := f.readEntries(p, false)
	return entries, grants, err
}

func (p *program) printTokens(entries []signin.TokenEntry) error {
	if len(entries) == 0 {
		fmt.Fprintln(&p.out, p.localise("no token: nobody is let in by this file", "没有令牌：凭此文件谁也进不来"))
		return nil
	}
	table := tabwriter.NewWriter(&p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, p.localise("ID\tNAME\tMADE\tSCOPES\tGROUPS", "ID\t名称\t创建于\t权限\t组"))
	for _, e := range entries {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", e.ID(), e.Name, cmp.Or(e.Day(), "-"), strings.Join(e.Scopes, ","), cmp.Or(strings.Join(e.Groups, ","), "-"))
	}
	return table.Flush()
}

// listedToken is a token in the JSON output.
type listedToken struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Made   string   `json:"made,omitempty"`
	Scopes []string `json:"scopes"`
	Groups []string `json:"groups,omitempty"`
}

func tokensAsJSON(entries []signin.TokenEntry) []listedToken {
	all := []listedToken{}
	for _, e := range entries {
		all = append(all, listedToken{e.ID(), e.Name, e.Day(), e.Scopes, e.Groups})
	}
	return all
}

func (p *program) revokeTokens() *cobra.Command {
	var file tokenFile
	c := &cobra.Command{
		Use:   "revoke NAME|ID...",
		Short: "let users in no more, or end one token of a user, or one program that they have let in",
		Long: `let users in no more, or end one token of a user, or one program that they have let in

A name means all tokens of that user, an id as token list shows it this one. Their lines
in the file become comments; a server that was started with it follows at once. What a
user has let in with a token ends with it.`,
		Example: `  vademecum token revoke dave --tokens tokens
  vademecum token revoke 3f9a1c2e --tokens tokens`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("give the names of users, or ids of tokens", "请给出用户名或令牌的 ID")
			}
			entries, grants, err := file.entriesAndGrants(p)
			if err != nil {
				return err
			}
			known := revocationSet{file, entries, grants}
			var end revocationSet
			for _, arg := range args {
				meant, err := known.matching(arg)
				if err != nil {
					return err
				}
				end.add(meant)
			}
			return p.revoke(file, end)
		},
	}
	file.addFlag(c)
	return c
}

// revoke ends tokens and grants, and says which.
func (p *program) revoke(file tokenFile, end revocationSet) error {
	if len(end.tokens) > 0 {
		if err := signin.RevokeTokens(string(file), end.tokens); err != nil {
			return message.Errorf("revoke tokens: %v", "撤销令牌：%v", err)
		}
	}
	for _, e := range end.tokens {
		fmt.Fprint(&p.out, p.localise("revoked %s of %s\n", "已撤销 %[2]s 的 %[1]s\n", e.ID(), e.Name))
	}
	return p.endGrants(end.grants)
}

// leastOfID is how many digits of an ID are required at least.
const leastOfID = 4

// revocationSet are tokens and grants.
type revocationSet struct {
	file   tokenFile
	tokens []signin.TokenEntry
	grants []oauth.Grant
}

// add takes in others that are not there yet.
func (r *revocationSet) add(others revocationSet) {
	for _, e := range others.tokens {
		if !slices.ContainsFunc(r.tokens, func(has signin.TokenEntry) bool { return has.Hash == e.Hash }) {
			r.tokens = append(r.tokens, e)
		}
	}
	for _, g := range others.grants {
		if !slices.ContainsFunc(r.grants, func(has oauth.Grant) bool { return has.ID == g.ID }) {
			r.grants = append(r.grants, g)
		}
	}
}

// filter are those that are meant, and the grants that end with a token that is.
func (r revocationSet) filter(token func(signin.TokenEntry) bool, grant func(oauth.Grant) bool) (some revocationSet) {
	for _, e := range r.tokens {
		if token(e) {
			some.tokens = append(some.tokens, e)
		}
	}
	for _, g := range r.grants {
		if grant(g) || slices.ContainsFunc(some.tokens, func(e signin.TokenEntry) bool { return g.UserTokenHash == hex.EncodeToString(e.Hash[:]) }) {
			some.grants = append(some.grants, g)
		}
	}
	return some
}

// matching are the tokens and grants of a user, or the one with an id.
func (r revocationSet) matching(arg string) (some revocationSet, err error) {
	some = r.filter(func(e signin.TokenEntry) bool { return e.Name == arg }, func(g oauth.Grant) bool { return g.User == arg })
	if len(some.tokens)+len(some.grants) > 0 {
		return some, nil
	}
	var ids []string
	begins := func(id string) bool {
		begins := len(arg) >= leastOfID && strings.HasPrefix(id, strings.ToLower(arg))
		if begins {
			ids = append(ids, id)
		}
		return begins
	}
	some = r.filter(func(e signin.TokenEntry) bool { return begins(e.ID()) }, func(g oauth.Grant) bool { return begins(g.ID) })
	list := message.New("%s shows names and ids", "%s 列出用户名和 ID", strings.TrimSuffix("vademecum token list --tokens "+quoteArg(string(r.file)), " --tokens ''"))
	switch {
	case len(ids) == 1:
		return some, nil
	case len(ids) > 1:
		return some, usageError{message.Errorf("%s means several tokens", "%s 对应多个令牌", present.QuoteName(arg)), message.New("give more digits: %s", "请多给几位：%s", strings.Join(ids, ", "))}
	case strings.HasPrefix(arg, signin.TokenPrefix):
		return some, usageError{message.Errorf("a token itself is not to be written into commands: give its id, or the name of the user", "不要把令牌本身写进命令：请给出它的 ID 或用户名"), list}
	}
	if meant := spelling.NearestUser(arg, r.names()); meant != "" {
		list = message.New("did you mean %s? %v", "是指 %s 吗？%v", meant, list)
	}
	return some, usageError{message.Errorf("nobody called %s has a token, and no token has this id", "没有名为 %s 的用户有令牌，也没有令牌是这个 ID", present.QuoteName(arg)), list}
}

func (r revocationSet) names() (all []string) {
	for _, e := range r.tokens {
		all = append(all, e.Name)
	}
	for _, g := range r.grants {
		all = append(all, g.User)
	}
	return all
}
