package formats

import (
	"bytes"
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// templateComments matches the comments of template languages, by the end of the names of their files. They
// are not part of the pages that are made from the templates. All begin with an ASCII sign.
var templateComments = []struct {
	extensions string
	pattern    *lazyregexp.Regexp
}{
	{".blade.php", lazyregexp.New(`(?s)\{\{--.*?--\}\}`)},
	{".twig .jinja .jinja2 .j2 .njk .liquid", lazyregexp.New(`(?s)\{#.*?#\}|\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}`)},
	{".hbs .handlebars .mustache", lazyregexp.New(`(?s)\{\{~?!--.*?--~?\}\}|\{\{~?![^}]*\}\}`)},
	{".erb .rhtml .ejs .eex .heex .leex .jsp .aspx .ascx .gsp", lazyregexp.New(`(?s)<%#.*?%>|<%!?--.*?--%>`)},
	{".gohtml .tmpl", lazyregexp.New(`(?s)\{\{-? *//?\*.*?\*/ *-?\}\}`)},
	{".ftl .ftlh", lazyregexp.New(`(?s)<#--.*?-->`)},
	{".cshtml .razor", lazyregexp.New(`(?s)@\*.*?\*@`)},
	{".tpl", lazyregexp.New(`(?s)\{\*.*?\*\}`)},
}

// withoutTemplateComments returns the content of a file called name that is read as a web page, without the
// comments of its template language. In a file that is read as plain text, they stay like those of a program.
func (f *format) withoutTemplateComments(name string, raw []byte) []byte {
	if f != byExtension[".html"] || bytes.IndexByte(raw, 0) >= 0 {
		return raw
	}
	name = strings.ToLower(name)
	for _, language := range templateComments {
		for _, extension := range strings.Fields(language.extensions) {
			if strings.HasSuffix(name, extension) {
				return language.pattern.ReplaceAll(raw, nil)
			}
		}
	}
	return raw
}
