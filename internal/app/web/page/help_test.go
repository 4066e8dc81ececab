package page

import (
	"net/http"
	"strings"
	"testing"

	"vademecum/internal/app/manual"
	"vademecum/internal/base/message"
)

// TestHelp checks that the manual is shown in the visitor's language, that topics link to each
// other, and that an unknown topic is reported.
func TestHelp(t *testing.T) {
	s := open(t, notes, func(o *Options) { o.PathPrefix = "/kb" })
	for lang, l := range map[string]message.Language{"en": message.English, "zh-CN": message.Chinese} {
		if page := s.get("/", "Accept-Language", lang); !strings.Contains(page, `href="/kb/help"`) {
			t.Errorf("%s: the pages do not lead to it:\n%s", lang, page)
		}
		list := s.get("/help", "Accept-Language", lang)
		for _, topic := range manual.Topics {
			title := manual.Title(topic, l)
			if !strings.Contains(list, `<li><a href="/kb/help/`+topic+`">`+title+`</a></li>`) {
				t.Errorf("%s: %s is not listed:\n%s", lang, topic, list)
			}
			page := s.get("/help/"+topic, "Accept-Language", lang)
			if !strings.Contains(page, "<h1>"+title+"</h1>") || !strings.Contains(page, "<title>"+title+" · Vademecum</title>") {
				t.Errorf("%s: %s is another page:\n%s", lang, topic, page)
			}
		}
		if page := s.get("/help/hosts", "Accept-Language", lang); !strings.Contains(page, `<a href="/kb/help/team">`) || !strings.Contains(page, "<td><code>claude-desktop</code>") {
			t.Errorf("%s: no link to another topic, or no table:\n%s", lang, page)
		}
	}
	for _, to := range []string{"/help/nothing", "/help/hosts.zh", "/help/..%2fhosts", "/help/hosts/x"} {
		if w := s.send(http.MethodGet, to, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", to, w.Code)
		}
	}
}
