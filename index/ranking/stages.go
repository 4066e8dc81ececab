// Package ranking ranks passages for a question, in stages. This file lists the stages with their
// weights, how these were chosen, and how they are described. The package gets the chunks, and
// their postings, from the store.
//
// To add a stage, write a function in a file of its own and add it to the list of stages. If it
// changes scores, it does so by Candidate.AddScore or SetScore with a score part of its own, and an
// entry in labels describes that part on the web page, in JSON and in text.
package ranking

import (
	"context"
	"slices"

	"vademecum/docs/kind"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// recallStages find candidates, in one view of a corpus; they are the first of the stages.
var recallStages = []func(context.Context, *recallState) error{
	findSimilar, // finds the nearest vectors, if they are those of a model
	findWords,   // finds the best by words, and matching names
	// combines words, vectors, names, and the words of the document in one score
	fuseLists,
	addDirectoryScores, // raises the scores if other documents in the directory match too
	listCandidates,     // sorts, and removes copies
	addRelated,         // adds chunks with parts of the words, if the words find too few
}

// candidateStages determine the candidates for a question.
var candidateStages = []func(context.Context, *Ranking) error{
	recallCandidates,    // candidates of the corpus
	addPhrases,          // consecutive words
	raiseCommonWordName, // a name such as Will, of words that are common otherwise
	foldVersions,        // keeps one of several translations of a document
	weighKinds,          // lowers kinds of passages that are rarely wanted
}

// passageStages choose the passages from the candidates.
var passageStages = []func(context.Context, *Ranking) error{
	applyReranker,      // order of a reranker, if one is used
	putQuotedFirst,     // chunks with the phrases in quotation marks first
	replaceByOriginals, // originals instead of copies
	raisePages,         // pages before drafts and copies that answer better
	findNamesAlike,     // finds names for which there are only similar ones
	// leaves out candidates that add nothing to another, and puts the original of editions first
	foldNearDuplicates,
	choosePassages, // limits those from one document, and joins neighbours
	narrowPassages, // keeps the parts of passages that answer
	foldEqualLines, // keeps one of several equal lines, if a line of each passage is shown
	bridgeGaps,     // joins passages of one document with little between them
	noteCopies,     // lists other places of the same text
}

// stages lists all stages for a question.
var stages = slices.Concat(candidateStages, passageStages)

// Parts of a score, in the order of display.
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
	byEdition
	parts
)

// labels holds the description of each part of a score for people.
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
		raised: scoreSentence("raised by %.2f: a version of it in another language matches this well")},
	byKind: {ScorePart: notice.ScorePart{Key: "seldom_meant", ReasonKey: "kind"},
		lowered: scoreSentence("lowered by %.2f because it is %s")},
	byReranker: {ScorePart: notice.ScorePart{Key: "reranker"},
		raised:  scoreSentence("raised by %.2f, to where the reranker puts it"),
		lowered: scoreSentence("lowered by %.2f, to where the reranker puts it")},
	byCopy: {ScorePart: notice.ScorePart{Key: "copy"},
		raised: scoreSentence("raised by %.2f: a draft with nearly the same text matches this well")},
	byOriginal: {ScorePart: notice.ScorePart{Key: "original"},
		raised:  scoreSentence("raised by %.2f: it is the original of a passage with nearly the same text"),
		lowered: scoreSentence("lowered by %.2f: the original, with nearly the same text, takes its place")},
	byEdition: {ScorePart: notice.ScorePart{Key: "edition"},
		raised:  scoreSentence("raised by %.2f: it is a newer edition of a passage with nearly the same text"),
		lowered: scoreSentence("lowered by %.2f: a newer edition, with nearly the same text, takes its place")},
}

// partWording is the description of a part of a score: by its name, or in sentences.
type partWording struct {
	notice.ScorePart
	raised, lowered scoreSentenceFunc
}

// scoreSentenceFunc returns a sentence that says by how much a score was raised or lowered, and
// why.
type scoreSentenceFunc func(by float64, reason message.Message) message.Message

// scoreSentence returns a scoreSentenceFunc for a format with an amount and a reason.
func scoreSentence(format string) scoreSentenceFunc {
	return func(by float64, reason message.Message) message.Message {
		if reason == "" {
			return message.New(format, by)
		}
		return message.New(format, by, reason)
	}
}

// partScore returns a part of a score with its description and the reason for it.
func (p partWording) partScore(score float64, reason message.Message) notice.ScoreContribution {
	told := notice.ScoreContribution{ScorePart: p.ScorePart, Score: score, Reason: reason}
	switch {
	case told.IsSummand():
	case score < 0:
		told.Sentence = p.lowered(-score, reason)
	default:
		told.Sentence = p.raised(score, reason)
	}
	return told
}

// listDepth is how many chunks each ranked list contributes to fusion, with copies counted once.
const listDepth = 200

// MaxCandidatesPerList is how many chunks with distinct contents each list of candidates has at most.
const MaxCandidatesPerList = listDepth

// Numbers of matching names that are examined. With twice as many documents and headings nothing
// changed on real folders; a folder is named if everything in it may be meant.
const (
	namedDepth  = 50
	folderDepth = 10
)

// equalPart is the weight of the vectors in a score at which they count as much as the words. An
// embedder states its weight: see embed.Properties.
const equalPart = 0.5

// fairPart limits the normalisation of lexical scores beside the vectors of a model: they are divided by
// at least this share of the score of a chunk with every word of the query. Otherwise a chunk with a
// stray word might count for as much as one with the meaning.
const fairPart = 0.8

// leastShare is the score, relative to the best, below which a chunk without a word of the question
// is noise.
const leastShare = 0.05

// Scores of matching names, relative to the words and vectors of the best chunk, which have 1.
// Measured on 162 questions on eleven real folders: with .5 for the name of the document, 3 fewer
// have the right passage first; with 1, no more do, and SciFact loses .003. Without the heading, 3
// fewer do. The folder matters for what is named nowhere else, such as a patient whose letters are
// in one folder: from .05 to .25 nothing changes.
const (
	namePart    = 0.6
	headingPart = 0.1
	folderPart  = 0.25
)

// documentPart is how much a chunk gains for the share of the words of a short question that its
// document has in all of its found chunks: words in one section and words in another belong
// together. On 195 questions on twelve real folders, together with the squares in package lexical,
// 2 more have the right passage first, and 3 more among the first three; the four collections stay
// within .001, and code regains what squares lose. With .2 and with .6 as many are right.
const documentPart = 0.4

// directoryPart is how much a chunk gains for the mean score of the documents in its directory,
// each with its best chunk, and 0 for documents that are not found: the subject of a question is
// often confined to one directory. It gains .014 nDCG@10 on code in 90 directories, and .001 on
// medical Chinese. Twice as much gains .024 on code, and loses two of 162 questions on real
// folders, where a directory may contain a single file. What a document gains by its own words
// elsewhere does not count: otherwise 2 of 195 no longer have the right passage first.
const directoryPart = 0.2

// MinRelatedSimilarity is the minimum similarity to a question of a chunk without any of its words. Of
// 2,700 beginnings and single words of questions on other collections, to which five collections
// contain next to nothing, four find a chunk with .30 or more, and one in a hundred finds one with
// .23 to .28. A short note with "Blutdruck" has .36 for "Blutdruckmessgerät", and one with "tax"
// has .33 for "taxation". With vectors of half the length, one in a hundred has .30 to .36, and the
// two cases cannot be distinguished.
const MinRelatedSimilarity = 0.3

// A passage gains soughtPart times the share of the question that it contains word for word, if it
// is among the number of passages wanted, whose texts are read in any case, and among the first
// soughtDepth. On 162 questions on real folders, 3 more have the right passage first; with .15
// SciFact loses .001, and 20 or 30 passages change nothing but the time.
const (
	soughtPart  = 0.1
	soughtDepth = 10
)

// otherFormPart is how much a passage loses that has only another form of a name in the question, while
// another has the name itself. It decides between passages that score alike otherwise.
const otherFormPart = 0.01

// leastOfBest is the share of the best score of its versions that a version must have to represent
// them: otherwise its words are not those of the question. Of 781 questions on a manual in 36
// languages, made of words from its pages, 83 showed a page in another language with .4, and 25
// with .8; with .9, one of 1,200 in English, the language of the original, is no longer shown in
// English.
const leastOfBest = 0.8

// weights holds the factors for the scores of passages by kind.
var weights = map[kind.Kind]float64{
	kind.LinkList:      0.7,
	kind.ChangeLog:     0.7,
	kind.Licence:       0.5,
	kind.References:    0.7,
	kind.PointerPage:   0.6,
	kind.GeneratedFile: 0.5,
}

// rerankDepth is the maximum number of candidates that a reranker scores. More would rarely be
// shown, and text-embeddings-inference accepts at most 32 texts at once by default.
const rerankDepth = 30

// quotedDepth is the number of the best candidates whose texts are searched for quoted phrases.
const quotedDepth = 100

// nearDepth is how many candidates are compared to find those that add nothing to another.
const nearDepth = 100

// originalsDepth is how many candidates are compared to find editions of the same text.
const originalsDepth = 60

// aboutAsGood is the share of the score of the best copy that another copy must have to take its
// place: otherwise it lacks what the question asks for. With .9, one fewer of 162 questions on real
// folders has the right passage first. On the same questions, one of whose folders contains three
// editions of a text, originals put the right passage first for 4 more.
const aboutAsGood = 0.8

// A page precedes its draft, of whose text it has at least leastOfPage in common within the first mostCompared
// bytes, if it has the words of the question too, or if its passage scores leastOfDraft of that of the draft
// and is the same section: with the same headings, or with leastOfSection of the shorter text in common.
const (
	leastOfPage    = 0.4
	mostCompared   = 1 << 16
	leastOfDraft   = 0.4
	leastOfSection = 0.3
)

// Minimum scores for the names of a document, or of its folders, for the question to mean that
// document and not a copy.
const (
	namedByName   = 0.1
	namedByFolder = 0.08
)

// moreNamed is the minimum difference between the scores of two candidates for the names of
// document and folders for the question to mean the higher one.
const moreNamed = 0.03

// How much of a passage is shown, in characters: shownBest of the best passage, of others less by
// the fourth power of their share of its score, and more for each joined neighbour; less of each if
// there are more than ten. A passage that is not much longer stays whole, and so does a paragraph,
// list or table that would be cut. For 65 questions on four folders, worded as by hosts, 54 have
// the answer in the passage shown first and 63 in any, in 2,660 characters. With 500 for the best
// and the square of the share, which were chosen on other folders, it is 49 and 58 in 2,510; with
// 900 for the best 52, and with 1,000 and the cube 53 in 2,720.
const (
	shownBest   = 1100
	shownAround = 300 // after the last word of the question
	shownMost   = 500
	shownJoined = 125
	shownLeast  = 180
	shownShort  = 240 // passages up to this length are not cut
	shownBrief  = 120 // if a single line of each passage is enough
	shownItems  = 400 // if items near the line answer as well
	shownSlack  = 1.2
	wholeSlack  = 1.4 // if that keeps a paragraph, list or table whole
	shownWhole  = 10  // number of passages
)

// namedOfBest is the share of the match of the best line shown that another line must reach: the
// position of a line that was left out is then named, and a list item is regarded as an equal
// answer.
const namedOfBest = 0.8

// otherOfBest is the share of the match of the best line shown that another line must reach by words of the
// question that neither the text shown nor its citation has: the position of such a line that was left out
// is then named.
const otherOfBest = 0.5

// mostRest is the maximum number of omitted places of a passage up to which further parts that match are
// listed. It is low because a reader has to read the list.
const mostRest = 4

// widestGap is the maximum number of characters between two passages of a document that are shown
// as one: the text between them is often what was asked for, and a separate citation takes nearly
// as much space.
const widestGap = 250

// The answer is where most of the question's words are; repeated words, and many words in one
// sentence, count in addition. For each of the two, one more of the 268 questions has the answer in
// the part shown.
const (
	againPart  = 0.2
	denserPart = 0.5
)

// leadShare is how much a word of the question in a lead counts for a line that it introduces, relative to
// one in the line, where a single line is shown.
const leadShare = 0.5

// citedShare is how much a word of the question in the title or a heading counts for a line that has it too,
// where a single line is shown: too little to outweigh any other word.
const citedShare = 0.001

// A line that may be a title has at most longestTitle characters, and ends with none of sentenceEnds.
const (
	longestTitle = 80
	sentenceEnds = ".!?;。！？；…"
)

// longestHeader is the maximum number of characters of the names of columns in a text without marks for tables.
const longestHeader = 200

// A sentence of at most longestTerse characters, such as "Rejected.", is shown with the one after it where a single
// line is shown. So is one of whose words repeatedShare are of the question.
const (
	longestTerse  = 40
	repeatedShare = 0.8
)

// A line whose label is a word of the question ("fax: 030 1234") is the answer, even if the other
// words are elsewhere. In characters:
const (
	mostLabel   = 30  // maximum length of a label
	mostToLabel = 300 // maximum further text shown to include such a line
)

// MinScoreShare is the minimum score of a passage, relative to the best one, to be shown if the caller did
// not request a number of passages. Of the 467 right passages among the first five for 268 questions,
// none has less; with .55 two do.
const MinScoreShare = 0.5

// If fewer than shownEnough characters are shown, the next passage is shown too if it has the share
// lesserShare of the best score: a short heading may score high and answer nothing.
const (
	shownEnough = 400
	lesserShare = 0.3
	// placeShare is that of a passage that has a place in the question as it is written there.
	placeShare = 0.2
)

// versionsDepth is the number of candidates among which documents that are versions of each other
// are sought.
const versionsDepth = 40

// Neighbours are joined if the lower one has at least neighbourShare of the other's score, and both
// together are not too long to read.
const (
	neighbourShare = 0.7
	longestJoined  = 2400 // bytes
)
