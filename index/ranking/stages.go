// Package ranking ranks passages for a question, in stages. This file lists the stages with their
// weights, how these were chosen, and how they are described. The package gets the chunks, and
// their postings, from the store.
//
// A further stage is a function in a file of its own and an entry in the list of stages; if it
// changes scores, it does so by Candidate.Add or SetScore with a score part of its own, and an
// entry in labels describes that part on the page, in JSON and in text.
package ranking

import (
	"context"
	"slices"

	"vademecum/docs/kind"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// recallStages are the stages that find candidates, in one view of a corpus: the first of stages.
var recallStages = []func(context.Context, *recallState) error{
	findSimilar,        // the nearest vectors, if they are those of a model
	findWords,          // the best by words, and matching names
	fuseLists,          // one score from words, vectors, names, and the words of the document
	addDirectoryScores, // other documents in the directory match too
	listCandidates,     // best first, without copies
	addRelated,         // chunks with parts of the words, if the words find too few
}

// candidateStages lead from a question to its candidates.
var candidateStages = []func(context.Context, *Ranking) error{
	recallCandidates, // those of the corpus
	addPhrases,       // consecutive words
	foldVersions,     // one of the documents that are translations of each other
	weighKinds,       // kinds of passages that are rarely wanted
}

// passageStages lead from the candidates to the passages.
var passageStages = []func(context.Context, *Ranking) error{
	applyReranker,      // the order of a reranker, if one is used
	putQuotedFirst,     // chunks with the words in quotation marks
	replaceByOriginals, // the original of copies
	foldNearDuplicates, // without candidates that add nothing to another; of editions the original first
	choosePassages,     // not all from one document, neighbours joined
	narrowPassages,     // the parts of passages that answer
	bridgeGaps,         // join passages of one document with little between them
	noteCopies,         // where else the same stands
}

// stages are all stages of a question.
var stages = slices.Concat(candidateStages, passageStages)

// Parts of a score, in the order in which they are shown.
const (
	byWords search.ScorePart = iota
	byVectors
	byName
	byHeading
	byFolder
	byDocument
	byDirectory
	byPhrase
	byVersion
	byKind
	byReranker
	byCopy
	byOriginal
	parts
)

// labels describe each part of a score.
var labels = [parts]partWording{
	byWords:     {ScorePart: notice.ScorePart{Key: "words", Name: message.New("words")}},
	byVectors:   {ScorePart: notice.ScorePart{Key: "vectors", Name: message.NewIn("score", "vectors")}},
	byName:      {ScorePart: notice.ScorePart{Key: "name", Name: message.New("name of the document")}},
	byHeading:   {ScorePart: notice.ScorePart{Key: "heading", Name: message.New("heading")}},
	byFolder:    {ScorePart: notice.ScorePart{Key: "folder", Name: message.New("folder")}},
	byDocument:  {ScorePart: notice.ScorePart{Key: "document", Name: message.New("words in the document")}},
	byDirectory: {ScorePart: notice.ScorePart{Key: "company", Name: message.New("others in the directory")}},
	byPhrase:    {ScorePart: notice.ScorePart{Key: "phrase", Name: message.New("words in a row")}},
	byVersion: {ScorePart: notice.ScorePart{Key: "version"},
		raised: scoreSentence("raised by %.2f: a version of it in another language answers so well")},
	byKind: {ScorePart: notice.ScorePart{Key: "seldom_meant", ReasonKey: "kind"},
		lowered: scoreSentence("lowered by %.2f, as it is %s")},
	byReranker: {ScorePart: notice.ScorePart{Key: "reranker"},
		raised:  scoreSentence("raised by %.2f, to where the reranker puts it"),
		lowered: scoreSentence("lowered by %.2f, to where the reranker puts it")},
	byCopy: {ScorePart: notice.ScorePart{Key: "copy"},
		raised: scoreSentence("raised by %.2f: a draft that nearly says the same answers so well")},
	byOriginal: {ScorePart: notice.ScorePart{Key: "original"},
		raised:  scoreSentence("raised by %.2f: it is the original of a passage that nearly says the same"),
		lowered: scoreSentence("lowered by %.2f: the original of what it nearly says stands in its place")},
}

// partWording is the description of a part of a score: by its name, or in sentences.
type partWording struct {
	notice.ScorePart
	raised, lowered scoreSentenceFunc
}

// scoreSentenceFunc returns a sentence on how much a score was raised or lowered, and why.
type scoreSentenceFunc func(by float64, reason message.Message) message.Message

// scoreSentence returns the sentence of a format for an amount and a reason.
func scoreSentence(format string) scoreSentenceFunc {
	return func(by float64, reason message.Message) message.Message {
		if reason == "" {
			return message.New(format, by)
		}
		return message.New(format, by, reason)
	}
}

// partScore returns a part of a score with its description.
func (p partWording) partScore(score float64, reason message.Message) notice.PartScore {
	told := notice.PartScore{ScorePart: p.ScorePart, Score: score, Reason: reason}
	switch {
	case told.IsSummand():
	case score < 0:
		told.Sentence = p.lowered(-score, reason)
	default:
		told.Sentence = p.raised(score, reason)
	}
	return told
}

// listDepth is how many chunks each ranked list passes to fusion, with copies counted once.
const listDepth = 200

// Depth is how many different chunks each list holds.
const Depth = listDepth

// How many matching names are examined. With twice as many documents and headings nothing changed
// on real folders; a folder is named when all in it may be meant.
const (
	namedDepth  = 50
	folderDepth = 10
)

// equalPart is the vectors' weight in a score at which they count as much as the words. An
// embedder states its weight: see embed.Properties.
const equalPart = 0.5

// fairPart is the share of a fair lexical score that the best of the list must reach beside a
// model, lest a stray word count for as much as its meaning.
const fairPart = 0.8

// leastShare is the score, relative to the best, below which a chunk without a word of the
// question is noise.
const leastShare = 0.05

// Score of matching names, where the words and vectors of the best chunk have 1. Measured on 162
// questions to eleven real folders: with .5 for the name of the document 3 fewer have the right
// passage first, with 1 no more, and SciFact loses .003; without the heading 3 fewer. The folder
// matters for what is nowhere else, like the patient whose letters are in one: from .05 to .25
// nothing changes.
const (
	namePart    = 0.6
	headingPart = 0.1
	folderPart  = 0.25
)

// documentPart is how much a chunk gains by the share of the words of a short question that its
// document has, in all of its found chunks: the words in one section and those in another belong
// together. On 195 questions to twelve real folders it gives, with lexical's squares, 2 more the
// right passage first and 3 more among the first three; the four collections stay within .001,
// code gains what squares lose. With .2 and with .6 as many are right.
const documentPart = 0.4

// directoryPart is how much a chunk gains by the mean score of the documents in its directory,
// each with its best chunk, where documents that are not found have 0: the subject of a question
// is often a matter of one directory. On code in 90 directories it gains .014 nDCG@10 and on
// medical Chinese .001; twice as much gains .024 on code, and loses two of 162 questions to real
// folders, where a directory may hold a single file. What a document gains by its own words
// elsewhere does not count: otherwise 2 of 195 no longer have the right passage first.
const directoryPart = 0.2

// LeastRelated is how similar to a question a chunk without any of its words must be. Of 2,700
// beginnings and single words of other collections' questions, of which five collections have
// next to nothing, four find a chunk with .30 or more, and one in a hundred has .23 to .28. A
// short note with "Blutdruck" has .36 for "Blutdruckmessgerät", one with "tax" .33 for
// "taxation". With vectors of half the length one in a hundred has .30 to .36, and the two cannot
// be distinguished.
const LeastRelated = 0.3

// A passage gains this times the share of the question that it contains word for word, if it is
// among as many as are wanted, whose texts are read in any case, and among this number. On 162
// questions to real folders that gives 3 more the right passage first; with .15 SciFact loses
// .001, and 20 or 30 passages change nothing but the time.
const (
	soughtPart  = 0.1
	soughtDepth = 10
)

// leastOfBest is the share of the best score of its versions that a version must have to
// represent them: else its words are not those of the question. Of 781 questions to a manual in
// 36 languages, made of words of its pages, 83 showed a page in another language with .4, and 25
// with .8; with .9 one of 1,200 in English, the language of the original, no longer shows that.
const leastOfBest = 0.8

// weights are the factors for the scores of passages by kind.
var weights = map[kind.Kind]float64{
	kind.Links:      0.7,
	kind.Changes:    0.7,
	kind.Licence:    0.5,
	kind.References: 0.7,
	kind.Pointer:    0.6,
	kind.Generated:  0.5,
}

// rerankDepth is the most candidates that a reranker scores. More would rarely be shown, and
// text-embeddings-inference takes no more than 32 texts at once by default.
const rerankDepth = 30

// quotedDepth is how many chunks are searched for a quoted phrase.
const quotedDepth = 100

// nearDepth is how many candidates are compared to find those that add nothing to another.
const nearDepth = 100

// originalsDepth is how many candidates are compared to find editions of one text.
const originalsDepth = 60

// aboutAsGood is the share of the score of the best of some copies that a copy must have to take
// its place: else it lacks what the question asks. With .9 one of 162 questions to real folders
// less has the right passage first. Of the same, of which one folder holds three editions of a
// text, originals give 4 more the right passage first.
const aboutAsGood = 0.8

// What the names of a document, or of its folders, must add to a score for the question to mean
// that document and no copy.
const (
	namedByName   = 0.1
	namedByFolder = 0.08
)

// moreNamed is by how much more of its score one of two must have from the names of its document
// and folders to be the one that the question means.
const moreNamed = 0.03

// How much of a passage is shown, in characters: of the best this much, of others less by the
// fourth power of their share of its score, and more for each joined neighbour; of more than ten
// less each. What is not much longer stays whole, and so does a paragraph, list or table that
// would be cut. Of 65 questions to four folders that hosts ask, 54 have the answer in the passage
// shown first and 63 in any, in 2,660 characters; with 500 of the best and the square of the
// share, which were chosen on other folders, 49 and 58 in 2,510. With 900 of the best 52, with
// 1,000 and the cube 53 in 2,720.
const (
	shownBest   = 1100
	shownAround = 300 // after the last word of the question
	shownMost   = 500
	shownJoined = 125
	shownLeast  = 180
	shownBrief  = 120 // if a line of each is enough
	shownSlack  = 1.2
	wholeSlack  = 1.4 // if a paragraph, list or table is whole with it
	shownWhole  = 10  // passages
)

// namedOfBest is the share of the best shown line's match that a line must have which is cut, for
// its position to be named.
const namedOfBest = 0.8

// mostRest is the most further positions named in a passage, besides those of whole chunks: each
// takes a part of a line to read.
const mostRest = 4

// widestGap is how much may stand between two passages of one document that are shown as one, in
// characters: what is between both is often what was asked for, and a citation of its own takes
// nearly as much.
const widestGap = 250

// The answer stands where most of the question's words do; repeated words, and many words in one
// sentence, count in addition. Of the 268 one more holds the answer with each.
const (
	againPart  = 0.2
	denserPart = 0.5
)

// A line whose label is a word of the question ("fax: 030 1234") is the answer, though the other
// words stand elsewhere. In characters:
const (
	mostLabel   = 30  // longest label
	mostToLabel = 300 // how much further text is shown for such a line
)

// LeastShare is the least score, relative to the best passage, that is worth a place if the
// caller did not ask for more. Of 467 right passages among the first five of 268 questions none
// has less; with .55 two have.
const LeastShare = 0.5

// If less than this many characters are shown, the next passage is shown too if it has this share
// of the best score: a short heading may score high and answer nothing.
const (
	shownEnough = 400
	lesserShare = 0.3
)

// versionsDepth is the number of candidates among which documents that are versions of each other
// are searched.
const versionsDepth = 40

// Neighbours are joined when the lower has at least this share of the other's score, and both
// together are not too long to read.
const (
	neighbourShare = 0.7
	longestJoined  = 2400 // bytes
)
