// Package ranking ranks passages for a question, in stages, which this file lists with
// what each weighs, how that was chosen, and how it is told. Whose the chunks are, and
// where they and their postings are kept, it asks the store.
//
// Another stage is a function in a file of its own and a line among
// the stages; where it changes scores, it says so by Candidate.Add or SetScore with a
// part of its own, and a line in said tells that on the page, in JSON and in words.
package ranking

import (
	"context"
	"slices"

	"vademecum/docs/kind"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// recallStages are the stages by which candidates are found, at one moment of a corpus: the
// first of stages.
var recallStages = []func(context.Context, *recallState) error{
	findSimilar,        // the nearest vectors, where they are those of a model
	findWords,          // the best by their words, and what is called as was asked
	fuseLists,          // one score of words, vectors, names, and the words of the document
	addDirectoryScores, // others in the directory answer too
	listCandidates,     // best first, without copies
	addRelated,         // chunks with parts of the words, where the words find too few
}

// candidateStages are those by which a question comes to its candidates.
var candidateStages = []func(context.Context, *Ranking) error{
	recallCandidates, // those in the corpus
	addPhrases,       // words in a row
	foldVersions,     // one of the documents that are translations of each other
	weighKinds,       // kinds of passages that are seldom meant
}

// passageStages are those by which it comes from there to its passages.
var passageStages = []func(context.Context, *Ranking) error{
	applyReranker,      // as a reranker has judged them, where one was asked
	putQuotedFirst,     // what holds the words in quotation marks
	replaceByOriginals, // of copies the original
	foldNearDuplicates, // without what says no more than another, and of editions the original first
	choosePassages,     // not all of one document, neighbours joined
	narrowPassages,     // what of them answers
	bridgeGaps,         // passages of one document with little between them made one
	noteCopies,         // where else the same stands
}

// stages are the stages of a question.
var stages = slices.Concat(candidateStages, passageStages)

// What adds to a score, in the order in which it is told.
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

// labels say what each part does to a score.
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

// partWording is how a part of a score is told: by its name, or in sentences.
type partWording struct {
	notice.ScorePart
	raised, lowered scoreSentenceFunc
}

// scoreSentenceFunc tells by how much a score was raised or lowered, and for which reason.
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

// partScore reports a share of the score.
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

// listDepth is how many chunks each ranked list gives to fusion, copies counted
// once.
const listDepth = 200

// Depth is how many chunks that differ each list holds.
const Depth = listDepth

// How many are looked at of what is called as the question asks. With twice as many
// documents and headings nothing changed on real folders; a folder is asked for when
// all in it may be meant.
const (
	namedDepth  = 50
	folderDepth = 10
)

// equalPart is the vectors' part of a score where they have an equal say with the words.
// Which part they have an embedder says: see embed.Properties.
const equalPart = 0.5

// fairPart is the part of a fair lexical score that the best of the list must
// reach beside a model, lest a stray word count for as much as its meaning.
const fairPart = 0.8

// leastShare is the score below which a chunk that has no word of the question
// is noise beside the best.
const leastShare = 0.05

// What a name adds to a score, of which the words and vectors of the best chunk
// have 1. Measured on 162 questions to eleven real folders: with .5 for the name of
// the document 3 fewer have the right passage first, with 1 no more, and SciFact
// loses .003; without the heading 3 fewer. The folder is for what is nowhere
// else, as the patient is whose letters are in one: from .05 to .25 nothing changes.
const (
	namePart    = 0.6
	headingPart = 0.1
	folderPart  = 0.25
)

// documentPart is how much a chunk gains by what its document has of the words of a
// short question, in all of its chunks that were found: what one section has of them
// and what another has belong together. On 195 questions to twelve real folders it
// gives, with lexical's squares, 2 more the right passage first and 3 more among the
// first three; the four collections stay within .001, code gains what squares lose.
// With .2 and with .6 as many are right.
const documentPart = 0.4

// directoryPart is how much a chunk gains by the mean score of the documents in its
// directory, each with its best chunk, of which those that are not found have 0:
// what is asked about is often a matter of one directory. On code in 90 directories
// it gains .014 nDCG@10 and on medical Chinese .001; twice as much gains .024 on
// code, and loses two of 162 questions to real folders, where a directory may hold
// a single file. What a document gains by its own words elsewhere does not count: with
// it 2 of 195 have the right passage first no more.
const directoryPart = 0.2

// LeastRelated is how similar to a question a chunk must be that has no word of
// it. Of 2,700 beginnings and single words of other collections' questions, of
// which five collections have next to nothing, four find a chunk with .30 or more,
// and one in a hundred has .23 to .28. A short note with "Blutdruck" has .36 for
// "Blutdruckmessgerät", one with "tax" .33 for "taxation". With vectors of half the
// length one in a hundred has .30 to .36, and the two is not known apart.
const LeastRelated = 0.3

// A passage gains this times the part of the question that it holds word by word,
// if it is among as many as are wanted, whose texts are read anyway, and the first so
// many. On 162 questions to real folders that gives 3 more the right passage first;
// with .15 SciFact loses .001, and 20 or 30 passages change nothing but the time.
const (
	soughtPart  = 0.1
	soughtDepth = 10
)

// leastOfBest is the part of the best score of its versions that one must have to
// stand for them: else its words are not those of the question. Of 781 questions to a
// manual in 36 languages, made of words of its pages, 83 showed a page in another
// language with .4, and 25 with .8; with .9 one of 1,200 in English, the language of the
// original, no longer shows that.
const leastOfBest = 0.8

// weights are what is left of the score of a passage of a kind.
var weights = map[kind.Kind]float64{
	kind.Links:      0.7,
	kind.Changes:    0.7,
	kind.Licence:    0.5,
	kind.References: 0.7,
	kind.Pointer:    0.6,
	kind.Generated:  0.5,
}

// rerankDepth is how many candidates a reranker judges at most. More would rarely be shown,
// and text-embeddings-inference takes no more than 32 texts at once unless it is told to.
const rerankDepth = 30

// quotedDepth is how many chunks are searched for a quoted phrase.
const quotedDepth = 100

// nearDepth is how many candidates are compared for saying no more than another.
const nearDepth = 100

// originalsDepth is how many candidates are compared for being editions of one text.
const originalsDepth = 60

// aboutAsGood is the part of the score of the best of some copies that one must have
// to take its place: else it lacks what the question asks. With .9 one of 162
// questions to real folders less has the right passage first. Of the same, of which one
// folder holds three editions of a text, originals give 4 more the right passage first.
const aboutAsGood = 0.8

// What the names of a document, or of its folders, must add to a score for the question
// to mean that document and no copy.
const (
	namedByName   = 0.1
	namedByFolder = 0.08
)

// moreNamed is by how much more of its score one of two must have for the names of its
// document and folders to be the one that the question means.
const moreNamed = 0.03

// How much of a passage is shown, in characters: of the best so much, of others less by the
// fourth power of the share that their score has of its, and more for each neighbour that was
// joined; of more than ten less each. What is not much longer stays whole, and so does a
// paragraph, list or table that is cut otherwise. Of 65 questions to four folders that hosts
// ask, 54 have the answer in the passage shown first and 63 in any, in 2,660 characters; with
// 500 of the best and the square of the share, which were chosen on other folders, 49 and 58
// in 2,510. With 900 of the best 52, with 1,000 and the cube 53 in 2,720.
const (
	shownBest   = 1100
	shownAround = 300 // behind the last word of the question
	shownMost   = 500
	shownJoined = 125
	shownLeast  = 180
	shownBrief  = 120 // where a line of each is enough
	shownSlack  = 1.2
	wholeSlack  = 1.4 // where a paragraph, list or table is whole with it
	shownWhole  = 10  // passages
)

// namedOfBest is the part of what the best line shown has of a question that a line must have
// which is cut, for its place to be told.
const namedOfBest = 0.8

// mostRest is of how many places at most a passage says that more of it is there, beside those of
// whole chunks: each takes a part of a line to read.
const mostRest = 4

// widestGap is how much may stand between two passages of one document that are shown as one,
// in characters: what both surround is often what was asked for, and a citation of its own
// takes nearly as much.
const widestGap = 250

// What answers a question stands where the most of its words do; that some stand there
// again, and that one sentence has many of them, counts beside it. Of the 268 one more holds
// the answer with each.
const (
	againPart  = 0.2
	denserPart = 0.5
)

// A line whose label is a word of the question ("fax: 030 1234") is the answer, though its other
// words stand elsewhere. In characters:
const (
	mostLabel   = 30  // the label has at most
	mostToLabel = 300 // more are shown for such a line
)

// LeastShare is the part of the score of the best passage that one must have to be worth
// a place where nobody has asked for more. Of 467 right passages among the first five of
// 268 questions none has less; with .55 two have.
const LeastShare = 0.5

// Where what is shown is less than so many characters, the next passage is shown too if it
// has this part of the best score: a short heading may score high and answer nothing.
const (
	shownEnough = 400
	lesserShare = 0.3
)

// versionsDepth is among how many candidates documents are looked for that are versions of
// each other.
const versionsDepth = 40

// Neighbours are joined when the lesser has at least this share of the
// other's score, and both together are not too long to read.
const (
	neighbourShare = 0.7
	longestJoined  = 2400 // bytes
)
