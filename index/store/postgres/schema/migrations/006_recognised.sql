-- What was recognised on the pages of scans, by the SHA-256 of their files: whichever
-- machine indexes a library, no page is recognised twice, whatever its file is called
-- and in however many libraries it is. It goes when no library has the file any more.
CREATE TABLE vademecum.recognised (
	file bytea NOT NULL,
	languages text COLLATE "C" NOT NULL,
	page integer NOT NULL,
	content bytea NOT NULL,
	checksum bigint NOT NULL,
	PRIMARY KEY (file, languages, page)
);
