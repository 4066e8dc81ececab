package notice

import (
	"vademecum/internal/base/message"
	"vademecum/internal/base/script"
)

// LanguageName returns the name of the language with the given code, or the code if it is unknown.
func LanguageName(code string) message.Message {
	return message.New(script.LanguageName(code))
}

// languageMessage says which languages the documents are in, if the question is in none of them.
func (n Note) languageMessage() message.Message {
	var names []message.Message
	for _, code := range n.Words {
		names = append(names, LanguageName(code))
	}
	if len(names) == 1 {
		return message.New("Most documents are in %v, and the question is not: asked in %[1]v, or with other wordings in it, more is found.", names[0])
	}
	return message.New("Most documents are in these languages: %v; the question is not: asked in one of them, or with other wordings in them, more is found.", joinMessages(names))
}
