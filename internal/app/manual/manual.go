// Package manual is the manual of the program: its topics as Markdown, in English and in Chinese,
// which [Text] formats for a terminal and [HTML] for a web page.
package manual

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"vademecum/internal/base/message"
)

//go:embed *.md
var files embed.FS

// Topics lists the names of the topics in reading order.
var Topics = []string{"hosts", "formats", "finding", "models", "privacy", "page", "phone", "team", "database", "commands", "files", "speed"}

// topicNames are the names of the topics for people.
var topicNames = map[string]message.Message{
	"hosts": message.NewIn("topic", "hosts"), "formats": message.NewIn("topic", "formats"), "finding": message.NewIn("topic", "finding"),
	"models": message.NewIn("topic", "models"), "privacy": message.NewIn("topic", "privacy"), "page": message.NewIn("topic", "page"),
	"phone": message.NewIn("topic", "phone"), "team": message.NewIn("topic", "team"), "database": message.NewIn("topic", "database"),
	"commands": message.NewIn("topic", "commands"), "files": message.NewIn("topic", "files"), "speed": message.NewIn("topic", "speed"),
}

// TopicNames lists the names of the topics for people, in reading order.
func TopicNames() message.Message {
	all := topicNames[Topics[0]]
	for _, topic := range Topics[1:] {
		all = message.New("%v, %v", all, topicNames[topic])
	}
	return all
}

// FindTopic returns the topic that is called so in any language, ignoring case; "" if there is none.
func FindTopic(name string) string {
	for _, topic := range Topics {
		isName := func(l message.Language) bool {
			return strings.EqualFold(name, topicNames[topic].InLanguage(l)) || strings.EqualFold(name, Title(topic, l))
		}
		if strings.EqualFold(name, topic) || slices.ContainsFunc(message.Languages(), isName) {
			return topic
		}
	}
	return ""
}

// FileName returns the name of the file with a topic in a language.
func FileName(topic string, l message.Language) string {
	if name := topic + "." + string(l) + ".md"; l != message.English && has(name) {
		return name
	}
	return topic + ".md"
}

// has reports whether the manual has a file with a name.
func has(name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

// Title returns the first heading of a topic; "" if there is no such topic.
func Title(topic string, l message.Language) string {
	line, _, _ := strings.Cut(string(Markdown(topic, l)), "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "# "))
}

// Markdown returns the Markdown of a topic; nil if there is no such topic.
func Markdown(topic string, l message.Language) []byte {
	if !slices.Contains(Topics, topic) {
		return nil
	}
	text, err := files.ReadFile(FileName(topic, l))
	if err != nil {
		panic(err) // embedded in the program
	}
	return text
}

// topicOf returns the topic to which a link leads; "" if it leads elsewhere.
func topicOf(link string) string {
	for _, topic := range Topics {
		if slices.ContainsFunc(message.Languages(), func(l message.Language) bool { return link == FileName(topic, l) }) {
			return topic
		}
	}
	return ""
}
