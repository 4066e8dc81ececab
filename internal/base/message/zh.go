package message

// chinese returns the parts of the Chinese catalogue.
func chinese() []entries {
	return []entries{chineseOfDocs(), chineseOfEmbed(), chineseOfIndex(), chineseOfApp(), chineseOfPage()}
}
