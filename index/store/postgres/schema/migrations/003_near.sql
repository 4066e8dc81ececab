-- Vectors that are nearest to one are found by an index for each model that has many:
-- one graph holds what may answer, and nothing of other libraries. A role that serves
-- may make no index: this function makes that one, as the role that owns the tables,
-- and does nothing else. While it works nobody saves vectors, so it leaves a model that
-- has very many already to "store vacuum".
CREATE FUNCTION vademecum.index_vectors(of_model bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	dimensions integer;
	place text; -- of the extension
BEGIN
	PERFORM FROM vademecum.models WHERE id = of_model FOR UPDATE; -- one at a time
	SELECT array_length(vector, 1) INTO dimensions FROM vademecum.vectors WHERE model = of_model LIMIT 1;
	SELECT quote_ident(n.nspname) INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector';
	IF place IS NULL OR coalesce(dimensions, 0) NOT BETWEEN 1 AND 4000 THEN
		RETURN false;
	END IF;
	IF to_regclass(format('vademecum.vectors_near_%s_%s', of_model, dimensions)) IS NOT NULL THEN
		RETURN true;
	END IF;
	IF (SELECT count(*) FROM (SELECT FROM vademecum.vectors WHERE model = of_model LIMIT 10001) part) > 10000 THEN
		RETURN false;
	END IF;
	EXECUTE format('CREATE INDEX vectors_near_%1$s_%2$s ON vademecum.vectors USING hnsw ((vector::%3$s.halfvec(%2$s)) %3$s.halfvec_cosine_ops)
		WHERE model = %1$s AND array_length(vector, 1) = %2$s', of_model, dimensions, place);
	RETURN true;
END $$;
