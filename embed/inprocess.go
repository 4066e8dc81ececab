package embed

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"vademecum/embed/hub"
	"vademecum/embed/local"
	"vademecum/internal/base/message"
)

// unopenedFolder is an Embedder for the identity of a model in a folder. It returns no vectors: see
// inprocess.
type unopenedFolder struct{ *local.ModelFolder }

// inprocess is the Embedder that computes vectors in this process: see package local.
type inprocess struct {
	unopenedFolder
	model *local.Model
}

var _ Embedder = (*inprocess)(nil)

// parseLocal parses the folder in a spec, a name of package hub or a path. A path may contain '?':
// only the text after the last one can be settings.
func parseLocal(_, rest string) (Embedder, error) {
	dir, settings := cutSettings(rest)
	if dir == "" {
		return nil, message.Errorf("no model is named: write its name or its folder after the colon")
	}
	prefixes, err := parsePrefixes(settings)
	if err != nil {
		return nil, err
	}
	if m, err := hub.FindModel(dir); err == nil {
		prefixes = withFamily(prefixes, familyOf(m.Repository))
	}
	path, err := hub.Folder(dir)
	if err != nil {
		return nil, err
	}
	f, err := local.ReadModelFolder(path, prefixes)
	if err != nil {
		return nil, err
	}
	return unopenedFolder{f}, nil
}

// cutSettings separates the settings, including their question mark, from the name of a folder,
// which may contain further question marks.
func cutSettings(rest string) (dir, settings string) {
	at := strings.LastIndex(rest, "?")
	if at < 0 {
		return rest, ""
	}
	return rest[:at], rest[at:]
}

// AbsoluteSpec returns an equivalent spec that does not depend on the working directory.
func AbsoluteSpec(spec string) string {
	rest, isLocal := strings.CutPrefix(strings.TrimSpace(spec), localPrefix)
	dir, settings := cutSettings(rest)
	info, err := os.Stat(dir)
	if _, unnamed := hub.FindModel(dir); !isLocal || unnamed == nil || err != nil || !info.IsDir() {
		return spec
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return spec
	}
	return localPrefix + dir + settings
}

// withFamily sets the prefixes that are not given to those known for the model, because not all
// repositories state them in their files.
func withFamily(p local.Prefixes, known modelFamily) local.Prefixes {
	if known.names == "" {
		return p
	}
	if p.Question == nil {
		p.Question = &known.query
	}
	if p.Passage == nil {
		p.Passage = &known.passage
	}
	return p
}

// parsePrefixes parses settings such as ?query=query:%20&passage=passage:%20.
func parsePrefixes(settings string) (prefixes local.Prefixes, err error) {
	values, err := url.ParseQuery(strings.TrimPrefix(settings, "?"))
	if err != nil {
		return prefixes, message.Errorf("the settings after ? are not URL-encoded, as in ?query=query:%20")
	}
	for name, all := range values {
		switch {
		case len(all) > 1:
			return prefixes, message.Errorf("a setting after ? is given twice")
		case name == "query":
			prefixes.Question = &all[0]
		case name == "passage":
			prefixes.Passage = &all[0]
		default:
			return prefixes, message.Errorf("the settings after ? are query and passage, as in ?query=query:%20")
		}
	}
	return prefixes, nil
}

// open reads the vocabulary of the model.
func (f unopenedFolder) open() (Embedder, error) {
	m, err := f.OpenLazily()
	if err != nil {
		return nil, message.Errorf("embedding provider local: %v", err)
	}
	return &inprocess{f, m}, nil
}

func (f unopenedFolder) ModelIdentity() string { return localPrefix + f.Identity() }

// Properties gives the vectors the same weight as those of other models: see endpoint.
func (f unopenedFolder) Properties() Properties {
	return Properties{Semantic: true, InProcess: true, Weight: 0.5}
}

// Embed returns an error: see inprocess.
func (f unopenedFolder) Embed(context.Context, TextKind, []string) ([][]float32, error) {
	return nil, message.Errorf("%s is not being asked now", f.ModelIdentity())
}

func (p *inprocess) Embed(ctx context.Context, kind TextKind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, embedError(p.ModelIdentity(), err)
	}
	vectors, err := p.model.Embed(ctx, kind == Query, texts)
	if refused, ok := errors.AsType[local.RefusedTextsError](err); ok {
		return vectors, RefusedTextsError(refused)
	}
	if err != nil {
		err = embedError(p.ModelIdentity(), err)
	}
	return vectors, err
}
