package docs

import (
	"io"
	"os"
	"path"
	"slices"

	"vademecum/docs/extract/joplin"
	"vademecum/docs/extract/schema"
	"vademecum/docs/meta"
)

// A note program may have its own name for a file, which it stores in other files.

// programNames are the names that the note program uses for a file.
type programNames struct {
	page     string // page name in Logseq; "" if it equals the file name
	notebook string // path of the notebook in Joplin, such as "Home/Kitchen"
	slack    schema.SlackNames
}

// programNamesOf returns the names that the program that wrote a file uses for it.
func (f *Folder) programNamesOf(c *pendingCall, root *os.Root, p string, content []byte) (n programNames) {
	read := func(p string) []byte { return f.readSmall(c, root, p) }
	export, isSlackDay := schema.SlackExportRoot(p)
	switch {
	case isSlackDay:
		n.slack = f.slack.in(root, export, read)
	case joplin.IsItem(p, content):
		n.notebook = joplin.NotebookPath(content, func(name string) []byte { return read(path.Join(path.Dir(p), name)) })
	case meta.MayHaveLogseqName(p):
		for graph := path.Dir(p); ; graph = path.Dir(graph) {
			if config := read(path.Join(graph, meta.LogseqConfigPath)); config != nil {
				inGraph := p
				if graph != everything {
					inGraph = p[len(graph)+1:]
				}
				n.page = meta.LogseqPageName(inGraph, string(config), string(content))
				break
			}
			if graph == everything {
				break
			}
		}
	}
	return n
}

// readSmall reads a file that accompanies a note. It returns nil if there is none or it is not
// small.
func (f *Folder) readSmall(c *pendingCall, root *os.Root, p string) []byte {
	const most = 4 << 20 // bytes
	file, info, err := openRegular(root, p, f.isOpenIndexFile)
	c.noteAnswer()
	if err != nil {
		return nil
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(answeringReader{file, c}, most))
	if err != nil || info.Size() > most {
		return nil
	}
	return content
}

// addProgramNames adds the names that the note program uses for the document.
func (d *Document) addProgramNames(n programNames) {
	if n.notebook != "" {
		d.Meta.Fields = append(d.Meta.Fields, meta.Field{Key: "notebook", Values: []string{n.notebook}})
		d.addAliases([]string{d.Title, n.notebook + "/" + d.Title})
	}
	if n.page != "" && n.page != stem(path.Base(d.Path)) {
		d.Title = n.page
		if !slices.Contains(d.Meta.Aliases(), n.page) {
			d.addAliases([]string{n.page})
		}
	}
}
