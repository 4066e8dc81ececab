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
		return message.New("Most documents are in %v, but the question is not: ask in %[1]v, or add wordings in it, to find more.", names[0])
	}
	return message.New("Most documents are in these languages: %v, but the question is not: ask in one of them, or add wordings in them, to find more.", joinMessages(names))
}
