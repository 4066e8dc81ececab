package notice

import (
	"maps"
	"path"
	"slices"

	"vademecum/internal/message"
	"vademecum/internal/present"
)

// FilledFolders says which folders are left out by their names, a message for each name, and how
// to have them read.
func FilledFolders(paths []string) (all []message.Message) {
	byName := make(map[string][]string)
	for _, p := range paths {
		byName[path.Base(p)] = append(byName[path.Base(p)], p)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, message.New("%v called %s, which programs fill: %v; the line !%[2]s/ in a .vademecumignore beside one has it indexed",
			"%v名为 %s，由程序填充：%v；在旁边的 .vademecumignore 中写一行 !%[2]s/，就会索引", Count(len(byName[name]), "folder", " 个文件夹"), name, firstFolders(byName[name], name)))
	}
	return all
}

// firstFolders names the first of some folders of a name, and says what lists them all.
func firstFolders(paths []string, name string) message.Message {
	const named = 3
	first := message.Message(present.CleanLine(paths[0]) + "/")
	for _, p := range paths[1:min(named, len(paths))] {
		first = message.New("%v, %s/", "%v、%s/", first, present.CleanLine(p))
	}
	if len(paths) <= named {
		return first
	}
	return message.New("%v and %d more (vademecum status FOLDER --why %s lists them)", "%v，以及另外 %d 个（vademecum status FOLDER --why %s 会全部列出）", first, len(paths)-named, present.ShellWord(name))
}
