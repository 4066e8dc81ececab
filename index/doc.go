// Package index keeps folders of documents searchable: it brings their catalogues
// up to date with the files, alone or with other processes on the same folders, has
// passages embedded, and answers questions with passages.
//
// # The way of a saved file
//
// A [vademecum/docs.Watcher] reports the path, and [vademecum/index/engine.Engine.Run]
// hands it to [vademecum/index/syncer.Syncer.Sync], which asks whichever process indexes
// the folder. There [vademecum/index/compare.Comparison.Compare] reports which files the
// catalogue does not have, and [vademecum/index/indexer.Indexer.Index] works through them:
// [vademecum/index/ingest.Reader.Fetch] reads a file, and
// [vademecum/index/ingest.Reader.Prepare] makes a document with chunks and terms of it.
// [vademecum/index/live.Store.Put] commits it to its [vademecum/index/catalog.Catalog] and
// gives the chunks to [vademecum/index/live.Chunks]: postings and vectors in memory
// ([vademecum/index/memindex.Index]), or a database that has them
// ([vademecum/index/postgres/searcher.Searcher]). Vectors that a model has to make come
// later, by [vademecum/index/embedding.Service.Run].
//
// # The way of a question
//
// The tool retrieve_docs calls [Index.Search]. Before, [Index.WaitFresh] has waited by
// [vademecum/index/freshness.Freshness.Wait] until what was saved before the question can
// be found. [vademecum/index/recovery.ReadRetrying] asks again where an index was damaged, and
// [vademecum/index/search.Searcher.View] opens all that answers at one moment.
// [vademecum/index/ranking.Rank] runs the stages of ranking over it, the first of which
// finds candidates by [vademecum/index/lexical.Index.Score] and
// [vademecum/index/vector.Index.Compare]. What remains becomes passages with their places
// and URIs, and [vademecum/index/notice.Note] values for what the answer may miss.
package index
