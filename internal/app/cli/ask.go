package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"golang.org/x/term"
)

// isAtTerminal reports whether the program can ask the user a question.
func (p *program) isAtTerminal() bool {
	return term.IsTerminal(int(p.stdin.Fd())) && term.IsTerminal(int(p.stderr.out.Fd()))
}

// confirm asks the user a question at the terminal, waits for the answer, and reports whether it is
// y or yes. A terminal delivers one line at a time, so that nothing after the answer is consumed.
func (p *program) confirm(ctx context.Context, question string) (confirmed bool, err error) {
	fmt.Fprint(p.stderr, question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(p.stdin).ReadString('\n') // no answer means no
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case said := <-answer:
		return said == "y" || said == "yes", nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}
