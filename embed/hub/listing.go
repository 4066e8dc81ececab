package hub

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// requiredFiles lists the files that every model has.
var requiredFiles = []string{"config.json", "model.safetensors", "tokenizer.json"}

// wantedFiles matches the files that define a model and its tokenisation: the required ones, and
// those of sentence-transformers, which has a numbered folder for each step after the first.
var wantedFiles = lazyregexp.New(`^(config|tokenizer|tokenizer_config|special_tokens_map|modules|sentence_bert_config|config_sentence_transformers)\.json$` +
	`|^model\.safetensors$|^[0-9]_[A-Za-z]+/(config\.json|model\.safetensors)$`)

// listedFile is a file of a model as listed by the hub.
type listedFile struct {
	path string
	size int64
	// Checksums of its content: the SHA-256 for large files, otherwise the name of the git object.
	// The program may know the SHA-256 of any file.
	sha256, blob string
}

// matchesSums reports whether these are the checksums of the listed file.
func (l listedFile) matchesSums(s fileSums) bool {
	return s.size == l.size && (l.sha256 == s.sha256 || l.sha256 == "" && l.blob == s.blob)
}

const (
	longestList = 4 << 20 // bytes
	mostFiles   = 32
)

// listFiles returns the files of a model that are wanted.
func (h *Hub) listFiles(ctx context.Context, m Model) ([]listedFile, error) {
	var info struct {
		SHA      string `json:"sha"`
		Siblings []struct {
			Path string `json:"rfilename"`
			Size int64  `json:"size"`
			Blob string `json:"blobId"`
			LFS  *struct {
				SHA256 string `json:"sha256"`
				Size   int64  `json:"size"`
			} `json:"lfs"`
		} `json:"siblings"`
	}
	body, err := h.fetchAPI(ctx, "/api/models/"+m.Repository+"/revision/"+m.Commit)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, &info); err != nil {
		return nil, message.Errorf("%s returned something other than a list of files", h.Host())
	}
	if info.SHA != m.Commit {
		return nil, message.Errorf("%s lists commit %.40q, not the one requested", h.Host(), info.SHA)
	}
	var all []listedFile
	for _, s := range info.Siblings {
		if !wantedFiles.MatchString(s.Path) || slices.ContainsFunc(all, func(l listedFile) bool { return l.path == s.Path }) {
			continue
		}
		l := listedFile{path: s.Path, size: s.Size, blob: s.Blob}
		if s.LFS != nil {
			l.size, l.sha256 = s.LFS.Size, s.LFS.SHA256
		}
		if sum, known := m.sums[l.path]; known {
			if l.sha256 != "" && l.sha256 != sum {
				return nil, message.Errorf("%s lists a different %s from that of the model: SHA-256 %.64q", h.Host(), l.path, l.sha256)
			}
			l.sha256 = sum
		}
		all = append(all, l)
	}
	return all, h.checkListing(m, all)
}

// checkListing returns an error for a list that cannot be that of the model.
func (h *Hub) checkListing(m Model, all []listedFile) error {
	var total int64
	for _, l := range all {
		if l.size <= 0 || l.size > 2*m.Bytes || l.sha256 == "" && l.blob == "" {
			return message.Errorf("%s lists %s without a size and checksum, or with an impossible one", h.Host(), l.path)
		}
		total += l.size
	}
	if total > 2*m.Bytes || len(all) > mostFiles {
		return message.Errorf("%s lists %d files with %s, where about %s were expected", h.Host(), len(all), megabytes(total), m.SizeText())
	}
	for _, path := range requiredFiles {
		if !slices.ContainsFunc(all, func(l listedFile) bool { return l.path == path }) {
			return message.Errorf("%s lists no %s", h.Host(), path)
		}
	}
	return nil
}

// fetchAPI returns the body of an answer of the hub's API, and retries after temporary errors.
func (h *Hub) fetchAPI(ctx context.Context, path string) (body []byte, err error) {
	err = h.retry(ctx, func() (bool, error) {
		within, alive, done := h.watchStall(ctx)
		defer done()
		answer, err := h.requestFrom(within, path, "blobs=true", 0)
		if err != nil {
			return false, err
		}
		defer answer.Body.Close()
		body, err = io.ReadAll(io.LimitReader(alive(answer.Body), longestList))
		if err != nil {
			err = h.requestError(within, err)
		}
		return false, err
	})
	return body, err
}
