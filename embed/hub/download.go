package hub

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"vademecum/internal/base/message"
)

// fileDownload fetches one file into a folder, and resumes where an earlier attempt ended.
type fileDownload struct {
	*Hub
	model Model
	listedFile
	target      string           // path of the file
	reportBytes func(have int64) // called with the number of bytes fetched so far
}

// fetchFile fetches the file, checks it against its listed checksums, and returns its size and
// checksum. Bytes from an earlier attempt are not fetched again.
func (d *fileDownload) fetchFile(ctx context.Context) (fetchedFile, error) {
	if err := os.MkdirAll(filepath.Dir(d.target), 0o700); err != nil {
		return fetchedFile{}, err
	}
	if got, err := sumFile(ctx, d.target); err == nil && d.matchesSums(got) {
		d.reportBytes(d.size)
		return fetchedFile{got.size, got.sha256}, nil
	}
	if err := os.RemoveAll(d.target); err != nil {
		return fetchedFile{}, err
	}
	part := d.target + partSuffix
	for {
		resumed := fileSize(part) > 0
		if err := d.retry(ctx, func() (bool, error) { return d.fetchMissing(ctx, part) }); err != nil {
			return fetchedFile{}, message.Errorf("fetch %s: %v", d.path, err)
		}
		got, err := sumFile(ctx, part)
		if err != nil {
			return fetchedFile{}, err
		}
		if d.matchesSums(got) {
			return fetchedFile{got.size, got.sha256}, os.Rename(part, d.target)
		}
		if err := os.Remove(part); err != nil {
			return fetchedFile{}, err
		}
		if !resumed { // otherwise bytes of an earlier run may be the cause
			return fetchedFile{}, message.Errorf("%s does not match the file in the commit: its SHA-256 is %s", d.path, got.sha256)
		}
	}
}

// fetchMissing fetches the missing bytes of the file, and reports whether there are more than
// before. A server that breaks off and does not support ranges sends the same bytes again.
func (d *fileDownload) fetchMissing(ctx context.Context, part string) (moved bool, err error) {
	f, err := os.OpenFile(part, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	before, err := f.Seek(0, io.SeekEnd)
	if err != nil || before == d.size {
		return false, err
	}
	have := before
	within, alive, done := d.watchStall(ctx)
	defer done()
	answer, err := d.requestFrom(within, "/"+d.model.Repository+"/resolve/"+d.model.Commit+"/"+d.path, "", have)
	if errors.Is(err, errRange) {
		return false, errors.Join(temporaryError{error: err}, emptyFile(f))
	}
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK && have > 0 {
		have, err = 0, emptyFile(f)
	}
	if err == nil {
		err = d.checkLength(answer, have)
	}
	if err != nil {
		return false, err
	}
	came, err := d.appendBody(f, alive(answer.Body), have)
	switch {
	case err != nil && within.Err() != nil:
		err = d.requestError(within, err)
	case err == nil:
		err = f.Sync()
	}
	return have+came > before, err
}

// checkLength returns an error if a response does not begin at the requested offset or end at the
// end of the file.
func (d *fileDownload) checkLength(answer *http.Response, have int64) error {
	if answer.StatusCode == http.StatusPartialContent {
		if want := fmt.Sprintf("bytes %d-%d/%d", have, d.size-1, d.size); answer.Header.Get("Content-Range") != want {
			return message.Errorf("%s sent a different part from the one requested: %q", d.Host(), answer.Header.Get("Content-Range"))
		}
	}
	if answer.ContentLength >= 0 && have+answer.ContentLength != d.size {
		return message.Errorf("%s would send %d bytes, but the commit has %d", d.Host(), have+answer.ContentLength, d.size)
	}
	return nil
}

// appendBody appends a response body to the file, and returns how many bytes were received.
func (d *fileDownload) appendBody(f *os.File, body io.Reader, have int64) (came int64, err error) {
	buffer := make([]byte, 256<<10)
	for {
		n, broken := body.Read(buffer)
		if have+came+int64(n) > d.size {
			return came, message.Errorf("%s sent more than the %d bytes in the commit", d.Host(), d.size)
		}
		if _, err := f.Write(buffer[:n]); err != nil {
			return came, err
		}
		came += int64(n)
		d.reportBytes(have + came)
		switch {
		case have+came == d.size:
			return came, nil
		case broken != nil:
			return came, temporaryError{error: message.Errorf("%s broke off after %d of %d bytes", d.Host(), have+came, d.size)}
		}
	}
}

// emptyFile truncates an open file to no bytes, and moves to its start.
func emptyFile(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return errors.Join(err, f.Truncate(0))
}

// errStalled means that a request was given up because no data arrived.
var errStalled = message.Errorf("nothing was received for too long")

// watchStall returns a context for a request that is cancelled if no byte arrives within the stall
// timeout. alive must wrap the body, and done ends the watch.
func (h *Hub) watchStall(ctx context.Context) (within context.Context, alive func(io.Reader) io.Reader, done func()) {
	within, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(h.stallTimeout, func() { cancel(errStalled) })
	alive = func(r io.Reader) io.Reader { return &stallReader{r, func() { timer.Reset(h.stallTimeout) }} }
	return within, alive, func() { timer.Stop(); cancel(nil) }
}

// stallReader calls came for every read that returns bytes.
type stallReader struct {
	io.Reader
	came func()
}

func (w *stallReader) Read(buffer []byte) (int, error) {
	n, err := w.Reader.Read(buffer)
	if n > 0 {
		w.came()
	}
	return n, err
}

// retryPauses are the pauses between attempts that make no progress.
var retryPauses = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}

// longestPause is the longest pause that a hub may request.
const longestPause = time.Minute

// retry calls try until it succeeds, fails permanently, or has failed too often without progress.
func (h *Hub) retry(ctx context.Context, try func() (moved bool, err error)) error {
	for failed := 0; ; failed++ {
		moved, err := try()
		var passing temporaryError
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil || !errors.As(err, &passing) {
			return err
		}
		if moved {
			failed = 0
		}
		switch {
		case passing.retryAfter > longestPause:
			return message.Errorf("%v: it asks to try again in %s", err, passing.retryAfter.Round(time.Second))
		case failed == len(retryPauses):
			return err
		}
		if err := h.pause(ctx, max(retryPauses[failed], passing.retryAfter)); err != nil {
			return err
		}
	}
}

// fileSums holds the size and the checksums that identify the content of a file.
type fileSums struct {
	size         int64
	sha256, blob string // in hexadecimal; blob is the name of its git object
}

// sumFile returns the checksums of a file.
func sumFile(ctx context.Context, path string) (fileSums, error) {
	f, err := os.Open(path)
	if err != nil {
		return fileSums{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fileSums{}, err
	}
	content, object := sha256.New(), sha1.New()
	fmt.Fprintf(object, "blob %d\x00", info.Size())
	size, err := io.Copy(io.MultiWriter(content, object), contextReader(ctx, f))
	return fileSums{size, hexDigest(content), hexDigest(object)}, err
}

func hexDigest(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// contextReader returns a reader that fails once ctx is done.
func contextReader(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(buffer []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(buffer)
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(buffer []byte) (int, error) { return f(buffer) }

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
