DROP TRIGGER append_only ON tables_round;
DROP TRIGGER append_only ON tables_seathand;
DROP TRIGGER append_only ON tables_bet;
DROP TRIGGER append_only ON tables_roundvoid;
DROP TRIGGER append_only ON tables_misdeal;
DROP TRIGGER append_only ON tables_auditentry;
DROP FUNCTION houseway_refuse_change();
