// Package manual is the manual of the program: its topics as Markdown, in English and in
// Chinese, which [Text] writes for a terminal and [HTML] for a page.
package manual

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.md
var files embed.FS

// A Language is one that the manual is written in, by its code.
type Language string

// The languages of the manual.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// LanguageOf returns that of a locale or language tag, such as zh_CN.UTF-8 or en-GB:
// English unless it is Chinese.
func LanguageOf(locale string) Language {
	if strings.HasPrefix(strings.ToLower(locale), "zh") {
		return Chinese
	}
	return English
}

// Topics lists the names of the topics in the order in which they are told.
var Topics = []string{"hosts", "formats", "finding", "models", "privacy", "page", "team", "database", "commands", "files", "speed"}

// File returns the name of the file that a topic is in.
func File(topic string, l Language) string {
	if l == Chinese {
		return topic + ".zh.md"
	}
	return topic + ".md"
}

// Title returns the heading of a topic, "" where there is no such topic.
func Title(topic string, l Language) string {
	line, _, _ := strings.Cut(string(Source(topic, l)), "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "# "))
}

// Source returns the Markdown of a topic, nil where there is no such topic.
func Source(topic string, l Language) []byte {
	if !slices.Contains(Topics, topic) {
		return nil
	}
	text, err := files.ReadFile(File(topic, l))
	if err != nil {
		panic(err) // it is in the program
	}
	return text
}

// topicOf returns the topic that a link leads to, "" where it leads elsewhere.
func topicOf(link string) string {
	for _, topic := range Topics {
		if link == File(topic, English) || link == File(topic, Chinese) {
			return topic
		}
	}
	return ""
}
