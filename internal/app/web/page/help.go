package page

import (
	"html/template"
	"net/http"

	"vademecum/internal/app/manual"
	"vademecum/internal/base/message"
)

// helpView is the page of a topic of the manual, or the list of topics if Topic is "".
type helpView struct {
	Topics []topicView
	Topic  string // name of the topic shown
	Title  string
	Text   template.HTML
}

type topicView struct{ Name, Title string }

// help shows the manual in the language of the pages.
func (v *request) help() {
	l := message.LanguageOf(v.words.Code)
	view := helpView{Topic: v.r.PathValue("topic"), Title: v.words.Say("Help")}
	for _, name := range manual.Topics {
		view.Topics = append(view.Topics, topicView{name, manual.Title(name, l)})
	}
	if view.Topic != "" {
		var err error
		view.Title = manual.Title(view.Topic, l)
		if view.Text, err = manual.HTML(view.Topic, l, "/help"); view.Title == "" || err != nil {
			v.fail(http.StatusNotFound, message.New("there is no such topic"))
			return
		}
	}
	v.show("help", view)
}
