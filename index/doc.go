// Package index keeps folders of documents searchable: it brings their catalogues up to date with
// the files, alone or together with other processes that use the same folders, has passages
// embedded, and answers questions with passages.
//
// # From a saved file to the index
//
// A [vademecum/docs.Watcher] reports the path to the loop of [vademecum/index/sync.Syncer.Run], and
// [vademecum/index/sync.Syncer.IndexAreas] compares it with the catalogue and processes what differs:
// [vademecum/index/ingest.Reader.Fetch] reads a file, and
// [vademecum/index/ingest.Reader.Prepare] turns it into a document with chunks
// and terms. [vademecum/index/live.Store.Put] commits the document to its
// [vademecum/index/store/catalog.Catalog] and passes the chunks to [vademecum/index/live.ChunkIndex]: either
// postings and vectors in memory ([vademecum/index/memindex.Index]), or a database that holds them
// ([vademecum/index/store/location.LibraryStorages.NewStore]). Vectors that a model has to compute follow
// later, from [vademecum/index/embedding.Service.Run].
//
// # From a question to the answer
//
// The tool retrieve_docs calls [Index.Search]. Before that, [Index.WaitFresh] has waited in
// [vademecum/index/sync.Syncer.WaitFresh] until everything saved before the question can be
// found. [vademecum/index/sync.ReadWithRepair] repeats a query that failed because the index is
// damaged, and [vademecum/index/search.Searcher.View] opens a consistent view of the data.
// [vademecum/index/ranking.Rank] runs the stages of ranking on that view, the first of which finds
// candidates by [vademecum/index/lexical.Index.Score] and [vademecum/index/vector.Index.Compare].
// The remaining candidates become passages with their places and URIs, and
// [vademecum/index/notice.Note] values that say what the answer may lack.
package index
