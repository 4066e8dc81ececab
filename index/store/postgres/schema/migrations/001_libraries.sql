-- Rows belong to a library, and its number comes first in the keys of large tables,
-- so that they can be divided by it. Texts that a database cannot be sure to take,
-- or that are cut by bytes, are bytea. Each row has a checksum of its own, as that
-- of the database's pages is not always on.

-- The version of the oldest program that may still work with these tables. What
-- older programs cannot live with has to raise it.
CREATE TABLE vademecum.program (oldest integer NOT NULL);
INSERT INTO vademecum.program VALUES (1);

-- A library has a row for each format of what is in its documents, as programs of
-- several versions may serve it. Who writes to one locks its row first: so commits
-- come one after the other, and so do their numbers.
CREATE TABLE vademecum.libraries (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text COLLATE "C" NOT NULL,
	format integer NOT NULL,
	version bigint NOT NULL DEFAULT 0,
	last_change bigint NOT NULL DEFAULT 0,
	UNIQUE (name, format)
) WITH (fillfactor = 50);

CREATE SEQUENCE vademecum.document_ids;

-- Paths may be longer than an index takes: path_key is the first half of the SHA-256.
CREATE TABLE vademecum.documents (
	library bigint NOT NULL REFERENCES vademecum.libraries ON DELETE CASCADE,
	id bigint NOT NULL,
	path_key bytea NOT NULL,
	path text COLLATE "C" NOT NULL,
	size bigint NOT NULL,
	modified bigint NOT NULL,
	changed bigint NOT NULL,
	read_at bigint NOT NULL,
	hash bytea NOT NULL,
	text_hash bytea NOT NULL,
	title text NOT NULL,
	mime text NOT NULL,
	text_mime text NOT NULL,
	encoding text NOT NULL,
	note text NOT NULL,
	skip text NOT NULL,
	meta bytea NOT NULL,
	checksum bigint NOT NULL,
	PRIMARY KEY (library, id),
	UNIQUE (library, path_key)
);

CREATE TABLE vademecum.texts (
	library bigint NOT NULL,
	document bigint NOT NULL,
	text bytea NOT NULL,
	parts bytea NOT NULL,
	checksum bigint NOT NULL,
	PRIMARY KEY (library, document),
	FOREIGN KEY (library, document) REFERENCES vademecum.documents ON DELETE CASCADE
);

CREATE TABLE vademecum.chunks (
	library bigint NOT NULL,
	document bigint NOT NULL,
	count integer NOT NULL,
	chunks bytea NOT NULL,
	checksum bigint NOT NULL,
	PRIMARY KEY (library, document),
	FOREIGN KEY (library, document) REFERENCES vademecum.documents ON DELETE CASCADE
);

CREATE TABLE vademecum.changes (
	library bigint NOT NULL REFERENCES vademecum.libraries ON DELETE CASCADE,
	number bigint NOT NULL,
	document bigint NOT NULL,
	PRIMARY KEY (library, number)
);

-- Vectors are those of a library in whichever format.
CREATE TABLE vademecum.models (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	library text COLLATE "C" NOT NULL,
	name text COLLATE "C" NOT NULL,
	pruned bigint NOT NULL DEFAULT 0, -- when its vectors were looked through
	UNIQUE (library, name)
);

CREATE TABLE vademecum.vectors (
	model bigint NOT NULL REFERENCES vademecum.models ON DELETE CASCADE,
	text_key bytea NOT NULL,
	row bigint GENERATED ALWAYS AS IDENTITY,
	vector real[] NOT NULL,
	checksum bigint NOT NULL,
	spare_since bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (model, text_key),
	UNIQUE (model, row)
);
ALTER TABLE vademecum.vectors ALTER vector SET STORAGE EXTERNAL; -- it does not compress

CREATE TABLE vademecum.refusals (
	model bigint NOT NULL REFERENCES vademecum.models ON DELETE CASCADE,
	text_key bytea NOT NULL,
	reason text NOT NULL,
	at bigint NOT NULL,
	PRIMARY KEY (model, text_key)
);

CREATE TABLE vademecum.settings (
	library bigint NOT NULL REFERENCES vademecum.libraries ON DELETE CASCADE,
	key text COLLATE "C" NOT NULL,
	value text NOT NULL,
	PRIMARY KEY (library, key)
);

CREATE TABLE vademecum.requests (
	library bigint NOT NULL REFERENCES vademecum.libraries ON DELETE CASCADE,
	number bigint GENERATED ALWAYS AS IDENTITY,
	request text NOT NULL,
	answer text NOT NULL DEFAULT '',
	PRIMARY KEY (library, number)
);

-- How often a duty was taken over: who has taken it last is the one that has it.
CREATE TABLE vademecum.duties (
	library bigint NOT NULL REFERENCES vademecum.libraries ON DELETE CASCADE,
	name text COLLATE "C" NOT NULL,
	term bigint NOT NULL,
	PRIMARY KEY (library, name)
);
