package notice

import (
	"maps"
	"path"
	"slices"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// FoldersFilledByProgramsMessages returns a message for each name of the given folders, which are excluded because
// folders of that name are filled by programs. It says which they are, and how to have them indexed.
func FoldersFilledByProgramsMessages(paths []string) (all []message.Message) {
	byName := make(map[string][]string)
	for _, p := range paths {
		byName[path.Base(p)] = append(byName[path.Base(p)], p)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, message.New("%v called %s, filled by programs: %v; to index one, put the line !%[2]s/ in a .vademecumignore next to it", message.New("%d folders", len(byName[name])), name, firstFolders(byName[name], name)))
	}
	return all
}

// firstFolders names the first of the folders with a name, and the command that lists all of them.
func firstFolders(paths []string, name string) message.Message {
	const named = 3
	first := message.Message(present.CleanLine(paths[0]) + "/")
	for _, p := range paths[1:min(named, len(paths))] {
		first = message.New("%v, %s/", first, present.CleanLine(p))
	}
	if len(paths) <= named {
		return first
	}
	return message.New("%v and %d more (vademecum status FOLDER --why %s lists them)", first, len(paths)-named, present.ShellWord(name))
}
