-- What a question needs, so that a server holds neither postings nor chunks. The
-- chunks of a library have slots that follow each other in a document and are never
-- given out again. What documents hold of all this is made when they are written:
-- those that are there are written anew. Their vectors stay.
DELETE FROM vademecum.libraries;
UPDATE vademecum.program SET oldest = 2;

-- What has very many rows does not refer to its library: to look for that row by row
-- takes half of the time of a load. A trigger removes it with the library.

ALTER TABLE vademecum.libraries
	ADD next_slot bigint NOT NULL DEFAULT 0,
	ADD next_word bigint NOT NULL DEFAULT 0,
	ADD passages bigint NOT NULL DEFAULT 0, -- chunks that are there, and all their terms
	ADD terms bigint NOT NULL DEFAULT 0;
ALTER TABLE vademecum.documents
	ADD slot bigint NOT NULL DEFAULT 0, -- of its first chunk
	ADD passages integer NOT NULL DEFAULT 0,
	ADD terms bigint NOT NULL DEFAULT 0;

-- The chunks as they are shown and compared: chunk is without its terms, sketch the
-- vector of the built-in embedding, two bytes for each number.
CREATE TABLE vademecum.passages (
	library bigint NOT NULL,
	slot bigint NOT NULL,
	wording bytea NOT NULL,
	text_key bytea NOT NULL,
	chunk bytea NOT NULL,
	sketch bytea NOT NULL,
	PRIMARY KEY (library, slot)
);
CREATE INDEX passages_wording ON vademecum.passages (library, wording);
CREATE INDEX passages_key ON vademecum.passages (library, text_key);

-- Lists of postings are in segments, each of documents that were written together,
-- or of several such. None is changed: those that are small become one.
CREATE SEQUENCE vademecum.segment_numbers;
CREATE TABLE vademecum.segments (
	library bigint NOT NULL REFERENCES vademecum.libraries ON DELETE CASCADE,
	number bigint NOT NULL,
	first bigint NOT NULL, -- slot, and how many follow
	slots bigint NOT NULL,
	PRIMARY KEY (library, number)
);

CREATE TABLE vademecum.postings (
	library bigint NOT NULL,
	segment bigint NOT NULL,
	term bytea NOT NULL,
	count integer NOT NULL,
	list bytea NOT NULL,
	PRIMARY KEY (library, term, segment)
);
CREATE INDEX postings_segment ON vademecum.postings (library, segment);
ALTER TABLE vademecum.postings ALTER list SET STORAGE EXTERNAL; -- it does not compress
-- Lists that were merged leave room, which the next ones are to take.
ALTER TABLE vademecum.postings SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- The chunks of documents that are gone stay in lists until these are written anew.
CREATE TABLE vademecum.gone (
	library bigint NOT NULL REFERENCES vademecum.libraries ON DELETE CASCADE,
	first bigint NOT NULL,
	slots bigint NOT NULL,
	PRIMARY KEY (library, first)
);

-- Words have numbers, by which the lists of trigrams lead to them.
CREATE TABLE vademecum.vocabulary (
	library bigint NOT NULL,
	number bigint NOT NULL,
	word bytea NOT NULL,
	PRIMARY KEY (library, number),
	UNIQUE (library, word)
);

CREATE FUNCTION vademecum.forget_library() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM vademecum.postings WHERE library = OLD.id;
	DELETE FROM vademecum.passages WHERE library = OLD.id;
	DELETE FROM vademecum.vocabulary WHERE library = OLD.id;
	RETURN OLD;
END $$;
CREATE TRIGGER forget BEFORE DELETE ON vademecum.libraries FOR EACH ROW EXECUTE FUNCTION vademecum.forget_library();
