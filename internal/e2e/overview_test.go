package e2e

import (
	"go/ast"
	doccomment "go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDocLinks checks that the links in package comments lead to existing names, and that the
// overview in each top-level package links to the functions through which a file, a question and a
// call pass.
func TestDocLinks(t *testing.T) {
	t.Parallel()
	exported := exportedNames(t)
	links := make(map[string]int)
	for pkg, names := range exported {
		for _, l := range docLinks(names.comment) {
			if l.ImportPath == "" {
				l.ImportPath = pkg
			}
			if !strings.HasPrefix(l.ImportPath, "vademecum") {
				continue
			}
			links[pkg]++
			name := strings.TrimPrefix(l.Recv+"."+l.Name, ".")
			if other := exported[l.ImportPath]; other == nil || name != "" && !slices.Contains(other.names, name) {
				t.Errorf("the comment of %s links to %s.%s, which is not there", pkg, l.ImportPath, name)
			}
		}
	}
	for pkg, least := range map[string]int{"vademecum": 5, "vademecum/docs": 5, "vademecum/embed": 4, "vademecum/index": 10, "vademecum/mcp": 4} {
		if links[pkg] < least {
			t.Errorf("the comment of %s has %d links, at least %d lead through it", pkg, links[pkg], least)
		}
	}
}

// packageNames is what a package exports, methods as Type.Method, and its comment.
type packageNames struct {
	comment string
	names   []string
}

// exportedNames reads all packages of the module, by their import paths.
func exportedNames(t *testing.T) map[string]*packageNames {
	t.Helper()
	root, all := filepath.Join("..", ".."), make(map[string]*packageNames)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "webtest" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ParseComments)
		if err != nil {
			return err
		}
		dir, _ := filepath.Rel(root, filepath.Dir(path))
		pkg := strings.TrimSuffix("vademecum/"+filepath.ToSlash(dir), "/.")
		if all[pkg] == nil {
			all[pkg] = &packageNames{}
		}
		all[pkg].comment += f.Doc.Text()
		for _, d := range f.Decls {
			all[pkg].names = append(all[pkg].names, declaredNames(d)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// declaredNames lists what a declaration names.
func declaredNames(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		return []string{receiverOf(d) + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
				names = append(names, methodsOf(s)...)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// receiverOf returns the type for which a method is declared.
func receiverOf(d *ast.FuncDecl) string {
	receiver := d.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if generic, ok := receiver.(*ast.IndexExpr); ok {
		receiver = generic.X
	}
	name, _ := receiver.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

// methodsOf lists the methods of an interface.
func methodsOf(s *ast.TypeSpec) (names []string) {
	contract, ok := s.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	for _, m := range contract.Methods.List {
		for _, name := range m.Names {
			names = append(names, s.Name.Name+"."+name.Name)
		}
	}
	return names
}

// docLinks lists the links of a comment.
func docLinks(text string) (links []*doccomment.DocLink) {
	p := doccomment.Parser{LookupSym: func(_, _ string) bool { return true }}
	return linksIn(p.Parse(text).Content)
}

func linksIn(blocks []doccomment.Block) (links []*doccomment.DocLink) {
	for _, block := range blocks {
		switch b := block.(type) {
		case *doccomment.List:
			for _, item := range b.Items {
				links = append(links, linksIn(item.Content)...)
			}
		case *doccomment.Paragraph:
			for _, part := range b.Text {
				if l, ok := part.(*doccomment.DocLink); ok {
					links = append(links, l)
				}
			}
		}
	}
	return links
}
