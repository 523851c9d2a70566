-- Rows of these tables are written once and never changed, whoever asks: the application, the
-- admin site or a person at psql. Statement triggers fire for UPDATE, DELETE and TRUNCATE, also
-- when no row is touched, also through ON CONFLICT DO UPDATE and through cascades.
CREATE FUNCTION houseway_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'append-only: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_round
    FOR EACH STATEMENT EXECUTE FUNCTION houseway_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_seathand
    FOR EACH STATEMENT EXECUTE FUNCTION houseway_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_bet
    FOR EACH STATEMENT EXECUTE FUNCTION houseway_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_roundvoid
    FOR EACH STATEMENT EXECUTE FUNCTION houseway_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_misdeal
    FOR EACH STATEMENT EXECUTE FUNCTION houseway_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION houseway_refuse_change();
