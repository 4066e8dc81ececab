package page

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"vademecum/index"
	"vademecum/internal/app/web/signin"
)

// logSignIn logs that a user has signed in or out, as what says.
func (p *Pages) logSignIn(r *http.Request, u signin.User, what string) {
	p.o.Logger.Info(what, "user", p.o.SenderName(signin.WithUser(r.Context(), u)), "address", p.o.SenderAddress(r))
}

// ask answers a question of the visitor and, if that succeeds, logs it with doing as the name of the
// action. It first waits until recently saved files can be found; purpose determines for how long.
func ask[R index.Reply](ctx context.Context, v *request, doing string, purpose index.WaitPurpose, q index.QuestionWithReply[R]) (reply R, err error) {
	shown := v.audit(doing)
	if err := v.view.Library.WaitFresh(ctx, purpose); err != nil {
		return reply, err
	}
	if reply, err = index.Ask(ctx, v.view.Library, q); err == nil {
		shown(reply.LoggedHitCount(), strings.Join(q.QueryTexts(), " | "))
	}
	return reply, err
}

// audit returns a function that logs who looked at documents and how, with the number of passages
// or documents shown. The question is logged only if the operator wants that.
func (v *request) audit(doing string) (shown func(n int, asked string)) {
	began := time.Now()
	return func(n int, asked string) {
		said := []slog.Attr{
			slog.String("user", v.o.SenderName(v.r.Context())), slog.String("doing", doing),
			slog.Duration("took", time.Since(began).Round(time.Microsecond)), slog.Int("shown", n),
		}
		if v.o.LogQueries && asked != "" {
			said = append(said, slog.Any("asked", asked))
		}
		v.o.Logger.LogAttrs(v.r.Context(), slog.LevelInfo, "page", said...)
	}
}
