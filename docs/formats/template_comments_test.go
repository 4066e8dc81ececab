package formats

import (
	"strings"
	"testing"
)

// TestTemplateComments checks that comments of template languages are no text of the pages, and that other
// files keep what looks like them.
func TestTemplateComments(t *testing.T) {
	page := func(comment string) string {
		return "<html><body><p>Before " + comment + " after.</p></body></html>"
	}
	for name, text := range map[string]string{
		"v.blade.php":      page("{{-- at nine\n--}}{{ $name }}"),
		"t.html.twig":      page("{# <b>at nine</b> #}{{ name }}"),
		"t.liquid":         page("{% comment %}at nine{%- endcomment -%}{{ name }}"),
		"t.hbs":            page("{{!-- at {{nine}} --}}{{! at nine }}{{ name }}"),
		"t.ERB":            page("<%# at nine %><%= name %>"),
		"t.jsp":            page("<%-- at nine --%><%= name %>"),
		"t.gohtml":         page("{{/* at nine */ -}}{{ .name }}"),
		"t.ftlh":           page("<#-- at nine -->${name}"),
		"a/t.cshtml":       page("@* at nine *@@name"),
		"smarty.tpl":       page("{* at nine *}{$name}"),
		"docs/syntax.html": page("{# name #}"),
		"unclosed.twig":    page("{# name"),
	} {
		c, err := Read(t.Context(), name, []byte(text))
		if err != nil || strings.Contains(c.Text, "nine") || !strings.Contains(c.Text, "name") || !strings.Contains(c.Text, "after.") {
			t.Errorf("%s is read as %q, %v", name, c.Text, err)
		}
	}
	const partial = "{{-- at nine --}}\n@include('hours')\n"
	if c, err := Read(t.Context(), "hours.blade.php", []byte(partial)); err != nil || c.Text != partial {
		t.Errorf("a template that is no page is read as %q, %v", c.Text, err)
	}
}
