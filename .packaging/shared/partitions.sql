-- Divides the large tables of a database by library, so that each library has files of
-- its own: for the role that owns the tables, after vademecum store migrate and before
-- anything is indexed. Then vademecum store migrate --grant gives the roles that serve
-- their rights again. The first eight libraries have partitions of their own, what comes
-- later is with the rest; for one more, before it is indexed for the first time and with
-- the next number that vademecum.libraries will give:
--
--   CREATE TABLE vademecum.postings_7 PARTITION OF vademecum.postings FOR VALUES IN (7);
--   and so passages_7, chunks_7, texts_7
BEGIN;
DO $$
DECLARE
	large text;
BEGIN
	IF EXISTS (SELECT FROM vademecum.libraries) THEN
		RAISE 'there are libraries already';
	END IF;
	FOREACH large IN ARRAY ARRAY['postings', 'passages', 'chunks', 'texts'] LOOP
		EXECUTE format('ALTER TABLE vademecum.%I RENAME TO %I', large, large || '_whole');
		EXECUTE format('CREATE TABLE vademecum.%I (LIKE vademecum.%I INCLUDING ALL) PARTITION BY LIST (library)', large, large || '_whole');
		EXECUTE format('CREATE TABLE vademecum.%I PARTITION OF vademecum.%I DEFAULT', large || '_rest', large);
		FOR number IN 1..8 LOOP
			EXECUTE format('CREATE TABLE vademecum.%I PARTITION OF vademecum.%I FOR VALUES IN (%s)', large || '_' || number, large, number);
		END LOOP;
		EXECUTE format('DROP TABLE vademecum.%I', large || '_whole');
	END LOOP;
END $$;
ALTER TABLE vademecum.texts ADD FOREIGN KEY (library, document) REFERENCES vademecum.documents ON DELETE CASCADE;
ALTER TABLE vademecum.chunks ADD FOREIGN KEY (library, document) REFERENCES vademecum.documents ON DELETE CASCADE;
COMMIT;
