-- A library that is new is none of those that the statistics know: it was taken to have
-- one row, whichever index begins with the library was as good as that of what is looked
-- for, and all rows of the library were read for each. Without statistics of that column
-- any library counts as a part of the table. A type that is what it was makes nothing
-- anew, and forgets what was known of the column. Vectors have indexes that would be made
-- anew, by the hour.
DO $$
DECLARE
	one record;
BEGIN
	FOR one IN SELECT c.relname AS large, c.relkind = 'r' AND c.relname <> 'vectors' AS plain, CASE c.relname WHEN 'vectors' THEN 'model' ELSE 'library' END AS part
		FROM pg_class c WHERE c.relnamespace = 'vademecum'::regnamespace
			AND c.relname IN ('documents', 'texts', 'chunks', 'changes', 'passages', 'postings', 'vocabulary', 'vectors')
	LOOP
		IF one.plain THEN
			EXECUTE format('ALTER TABLE vademecum.%I ALTER %I TYPE bigint', one.large, one.part);
		END IF;
		EXECUTE format('ALTER TABLE vademecum.%I ALTER %I SET STATISTICS 0', one.large, one.part);
	END LOOP;
END $$;
