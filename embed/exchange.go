package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"vademecum/internal/base/message"
)

// maxAnswer is the maximum size of an answer in bytes. 64 vectors of 8192 numbers, 22 characters
// each, take 12 MB.
const maxAnswer = 32 << 20

// expectedContent describes what an answer should contain.
type expectedContent struct{ name, form message.Message }

var (
	wantVectors = expectedContent{message.New("vectors"), message.New("lists of numbers")}
	wantScores  = expectedContent{message.New("scores"), message.New("numbers")}
)

// httpExchange is one request and its answer. It reads the whole answer before decoding it, so that
// an error can show the status and the body.
type httpExchange struct {
	client   *http.Client
	wants    expectedContent
	response *http.Response // nil until there is a response
	body     []byte
}

// Do implements openai.HTTPDoer.
func (x *httpExchange) Do(req *http.Request) (*http.Response, error) {
	resp, err := x.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	x.response = resp
	x.body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(x.body) > maxAnswer {
		err = message.Errorf("the answer is longer than %d MB", maxAnswer>>20)
	}
	if err != nil {
		return nil, err
	}
	copied := *resp
	copied.Body = io.NopCloser(bytes.NewReader(x.body))
	return &copied, nil
}

// requestFailure is a request without a usable answer. Unless general is set, the texts may be the
// cause.
type requestFailure struct {
	message    message.Message
	status     int  // HTTP status; 0 if there was no answer
	general    bool // concerns the service, regardless of the texts
	transient  bool // worth a retry
	tooLong    bool // the texts are, or seem to be, too long
	timeLimit  bool
	steady     bool // each attempt failed in this way
	retryAfter time.Duration
	first      int64 // number of the first attempt of the request
	cause      error // nil if the server sent a regular refusal
}

func (f *requestFailure) Error() string { return f.message.String() }

// Message returns the text of Error as a message.
func (f *requestFailure) Message() message.Message { return f.message }

func (f *requestFailure) Unwrap() error { return f.cause }

// isOverload reports whether there are too many requests in flight.
func (f *requestFailure) isOverload() bool {
	return f.status == http.StatusTooManyRequests || f.status == http.StatusServiceUnavailable
}

// explainExchange returns a one-line error that explains why an exchange failed. err is the result
// of decoding the answer; nil for JSON without data.
func (e *endpoint) explainExchange(ctx context.Context, x *httpExchange, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if x.response == nil {
		return e.explainUnreached(err)
	}
	var f *requestFailure
	if x.response.StatusCode < 300 {
		f = explainAnswer(x, err)
	} else {
		f = e.explainRefusal(x)
	}
	f.status, f.cause = x.response.StatusCode, err
	f.tooLong = isLengthError(f.status, f.Error())
	f.message = message.New("%d %s from %s: %v", f.status, http.StatusText(f.status), e.base.Host, f.message).MapForeignTexts(e.redact)
	return f
}

// isLengthError reports whether a reason is about length, such as "the input length exceeds the
// context length" (Ollama), "This model's maximum context length is 8192 tokens" (OpenAI, vLLM) or
// "input is too large to process" (llama.cpp), and not about the number of texts, such as "batch
// size 64 > maximum allowed batch size 32" (text-embeddings-inference).
func isLengthError(status int, reason string) bool {
	reason = strings.ToLower(reason)
	if strings.Contains(reason, "batch size") {
		return false
	}
	for _, word := range []string{"context", "too long", "too large", "length", "maximum", "token", "exceed"} {
		if strings.Contains(reason, word) {
			return true
		}
	}
	return status == http.StatusRequestEntityTooLarge
}

var htmlAnswer = message.New("HTML instead of JSON; the address of an API often ends in /v1")

var noAnswerInTime = message.New("no answer in time")

// explainRefusal explains an answer with the status of an error or a redirection.
func (e *endpoint) explainRefusal(x *httpExchange) *requestFailure {
	status := x.response.StatusCode
	f := &requestFailure{general: status < 400}
	switch status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusNotFound, http.StatusMethodNotAllowed:
		f.general = true
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		f.transient = true
	}
	if status >= 500 {
		f.transient = true
	}
	if f.transient {
		f.retryAfter = retryAfter(x.response.Header.Get("Retry-After"), time.Now())
	}
	said := parseError(x.body)
	switch {
	case status == http.StatusUnauthorized && e.key == "":
		f.message = message.New("it requires an API key: set %s in the environment", e.keyVariable)
	case status == http.StatusUnauthorized: // the server's message may repeat parts of the key
		f.message = message.New("it does not accept the API key from the environment")
	case status < 400:
		f.message = message.New("it redirects elsewhere, but texts are sent only to the address given")
	case said.message != "":
		f.message = message.Message(said.message)
		if said.code == "insufficient_quota" {
			// OpenAI's status 429 for which waiting does not help
			f.transient = false
		}
	case status >= 500 && isHTML(x.body):
		f.message = message.New("HTML instead of JSON; the service, or a proxy before it, is down")
	case isHTML(x.body):
		f.message = htmlAnswer
	case status == http.StatusNotFound && !strings.HasSuffix(e.base.Path, "/v1"):
		f.message = message.New("nothing found there; the address of an API often ends in /v1")
	default:
		f.message = message.New("no reason given")
	}
	return f
}

// explainAnswer explains an answer with a success status. err is that of reading or decoding it;
// nil if it is JSON without the expected content.
func explainAnswer(x *httpExchange, err error) *requestFailure {
	f := &requestFailure{transient: true}
	said := parseError(x.body)
	var n net.Error
	switch {
	case errors.As(err, &n) && n.Timeout(): // timeout while the answer was being sent
		f.message, f.timeLimit, f.transient = noAnswerInTime, true, false
	case said.message != "":
		f.message = message.New("an error instead of %v: %s", x.wants.name, said.message)
	case isHTML(x.body):
		f.message = htmlAnswer
	case err == nil:
		f.message = message.New("the answer contains no %v", x.wants.name)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, new(*net.OpError)):
		f.message = message.New("the answer is cut off")
	case errors.Is(err, io.EOF):
		f.message = message.New("the answer is empty")
	case errors.As(err, new(*json.UnmarshalTypeError)):
		f.message = message.New("%v that are not %v", x.wants.name, x.wants.form)
	case errors.As(err, new(*json.SyntaxError)):
		f.message = message.New("the answer is not JSON")
	default:
		f.message, f.transient = message.FromError(err), false
	}
	return f
}

func isHTML(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// explainUnreached explains an exchange without any answer. A broken connection is worth a retry,
// and may be due to the texts; a connection that could not be made is neither.
func (e *endpoint) explainUnreached(err error) error {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err // without the address, which is mentioned elsewhere
	}
	f := &requestFailure{cause: err}
	what := message.FromError(err)
	var n net.Error
	var op *net.OpError
	switch {
	case errors.As(err, &op) && op.Op == "dial":
		// without the address, which is mentioned elsewhere
		f.general, what = true, message.FromError(op.Err)
		if op.Timeout() {
			what = message.New("no connection in time")
		}
		if e.hint != "" {
			what = message.Join(what, e.hint)
		}
	case errors.As(err, &n) && n.Timeout():
		f.timeLimit = true
		what = noAnswerInTime
	default:
		f.transient = op != nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		f.general = !f.transient
	}
	f.message = message.New("reach %s: %v", e.base.Host, what).MapForeignTexts(e.redact)
	return f
}

// answerMessage describes what is wrong with an answer.
func (e *endpoint) answerMessage(fault error) message.Message {
	return message.New("answer of %s: %v", e.base.Host, fault)
}

// redact removes the key from a message, and shortens the message to one line of reasonable length.
func (e *endpoint) redact(s string) string {
	if e.key != "" {
		s = strings.ReplaceAll(s, e.key, "[key]")
	}
	s = strings.Join(strings.FieldsFunc(s, func(c rune) bool {
		return unicode.IsSpace(c) || !unicode.IsPrint(c)
	}), " ")
	const longest = 300
	if c := []rune(s); len(c) > longest {
		s = string(c[:longest]) + "…"
	}
	return s
}

// errorAnswer is the error in a server's refusal.
type errorAnswer struct{ message, code string }

// parseError parses the common forms of error answers: {"error":{"message":…,"code":…}} of OpenAI,
// {"error":"…"} of Ollama's own API, {"message":…} of vLLM and {"detail":…} of FastAPI servers.
func parseError(body []byte) errorAnswer {
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return errorAnswer{}
	}
	var inner struct {
		Message string          `json:"message"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(outer.Error, &inner) == nil && inner.Message != "" {
		return errorAnswer{inner.Message, unquote(inner.Code)}
	}
	for _, raw := range []json.RawMessage{outer.Error, outer.Message, outer.Detail} {
		if s := unquote(raw); s != "" {
			return errorAnswer{message: s}
		}
	}
	return errorAnswer{}
}

// unquote decodes a JSON string; "" if raw is not one.
func unquote(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// retryAfter parses the Retry-After header (RFC 9110, section 10.2.3): seconds or a date. It
// returns 0 for anything else and for the past.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), 1<<20)) * time.Second
	}
	if date, err := http.ParseTime(header); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}
