-- Who starts looks for the passages that have no vector. Of a library in one format it
-- is noted with a model up to which slot all of its passages have vectors, or are refused
-- by the model, so that only what comes after is looked through. Passages get slots in
-- the order in which they come. So nothing but the loss of a vector or of a refusal can
-- make the note wrong: it is taken back with that, whichever program does it.
ALTER TABLE vademecum.models
	ADD embedded_library bigint NOT NULL DEFAULT 0,
	ADD embedded_before bigint NOT NULL DEFAULT 0;

-- Who makes the note locks the model and looks then: one of the two waits for the other
-- and sees what it did.
CREATE FUNCTION vademecum.doubt_embedded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM vademecum.models WHERE id = OLD.model FOR NO KEY UPDATE;
	UPDATE vademecum.models m SET embedded_before = 0 WHERE m.id = OLD.model AND m.embedded_before > 0
		AND EXISTS (SELECT FROM vademecum.passages p WHERE p.library = m.embedded_library AND p.text_key = OLD.text_key);
	RETURN OLD;
END $$;
CREATE TRIGGER doubt BEFORE DELETE ON vademecum.vectors FOR EACH ROW EXECUTE FUNCTION vademecum.doubt_embedded();
CREATE TRIGGER doubt BEFORE DELETE ON vademecum.refusals FOR EACH ROW EXECUTE FUNCTION vademecum.doubt_embedded();

CREATE FUNCTION vademecum.doubt_all_embedded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE vademecum.models SET embedded_before = 0 WHERE embedded_before > 0;
	RETURN NULL;
END $$;
CREATE TRIGGER doubt_all BEFORE TRUNCATE ON vademecum.vectors FOR EACH STATEMENT EXECUTE FUNCTION vademecum.doubt_all_embedded();
CREATE TRIGGER doubt_all BEFORE TRUNCATE ON vademecum.refusals FOR EACH STATEMENT EXECUTE FUNCTION vademecum.doubt_all_embedded();
