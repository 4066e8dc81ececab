-- A library that the statistics do not know is taken to have one row. Then whichever
-- index begins with the library seems as good as that of what is looked for, and all rows
-- of the library are read for each term. The database looks at its tables anew when a
-- tenth of them has changed, which a library beside larger ones may never be. So who has
-- written much asks for it by this function, as a role that serves may not do so itself:
-- the tables are looked at where at most half of the library is known.
CREATE FUNCTION vademecum.describe_library(of_library bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	there bigint;
	known double precision;
BEGIN
	SELECT passages INTO there FROM vademecum.libraries WHERE id = of_library;
	SELECT max(common.part * c.reltuples) INTO known
		FROM pg_stats s JOIN pg_class c ON c.oid = 'vademecum.passages'::regclass
		CROSS JOIN LATERAL unnest(s.most_common_vals::text::bigint[], s.most_common_freqs) AS common(library, part)
		WHERE s.schemaname = 'vademecum' AND s.tablename = 'passages' AND s.attname = 'library' AND common.library = of_library;
	IF 2 * coalesce(known, 0) >= coalesce(there, 0) THEN
		RETURN false;
	END IF;
	ANALYZE vademecum.documents, vademecum.texts, vademecum.chunks, vademecum.passages, vademecum.postings, vademecum.vocabulary;
	RETURN true;
END $$;
