-- Rows of these tables are written once and never changed, whoever asks: the application, the
-- admin site or a person at the sqlite3 prompt. INSERT OR REPLACE deletes the row it collides with
-- and fires no DELETE trigger unless a connection asks for recursive triggers, so an insert that
-- collides with a key is refused before it can replace anything.

CREATE TRIGGER tables_round_refuse_update BEFORE UPDATE ON tables_round
BEGIN SELECT RAISE(ABORT, 'append-only: UPDATE of tables_round is refused'); END;
CREATE TRIGGER tables_round_refuse_delete BEFORE DELETE ON tables_round
BEGIN SELECT RAISE(ABORT, 'append-only: DELETE of tables_round is refused'); END;
CREATE TRIGGER tables_round_refuse_replace BEFORE INSERT ON tables_round
BEGIN
    SELECT RAISE(ABORT, 'append-only: this key of tables_round is taken')
    WHERE EXISTS (
        SELECT 1 FROM tables_round
        WHERE id = NEW.id
         OR (table_id = NEW.table_id AND sequence = NEW.sequence)
         OR (entered_by_id = NEW.entered_by_id AND round_id = NEW.round_id)
    );
END;

CREATE TRIGGER tables_seathand_refuse_update BEFORE UPDATE ON tables_seathand
BEGIN SELECT RAISE(ABORT, 'append-only: UPDATE of tables_seathand is refused'); END;
CREATE TRIGGER tables_seathand_refuse_delete BEFORE DELETE ON tables_seathand
BEGIN SELECT RAISE(ABORT, 'append-only: DELETE of tables_seathand is refused'); END;
CREATE TRIGGER tables_seathand_refuse_replace BEFORE INSERT ON tables_seathand
BEGIN
    SELECT RAISE(ABORT, 'append-only: this key of tables_seathand is taken')
    WHERE EXISTS (
        SELECT 1 FROM tables_seathand
        WHERE id = NEW.id
         OR (round_id = NEW.round_id AND seat = NEW.seat)
    );
END;

CREATE TRIGGER tables_bet_refuse_update BEFORE UPDATE ON tables_bet
BEGIN SELECT RAISE(ABORT, 'append-only: UPDATE of tables_bet is refused'); END;
CREATE TRIGGER tables_bet_refuse_delete BEFORE DELETE ON tables_bet
BEGIN SELECT RAISE(ABORT, 'append-only: DELETE of tables_bet is refused'); END;
CREATE TRIGGER tables_bet_refuse_replace BEFORE INSERT ON tables_bet
BEGIN
    SELECT RAISE(ABORT, 'append-only: this key of tables_bet is taken')
    WHERE EXISTS (
        SELECT 1 FROM tables_bet
        WHERE id = NEW.id
         OR (seat_hand_id = NEW.seat_hand_id AND wager = NEW.wager)
    );
END;

CREATE TRIGGER tables_roundvoid_refuse_update BEFORE UPDATE ON tables_roundvoid
BEGIN SELECT RAISE(ABORT, 'append-only: UPDATE of tables_roundvoid is refused'); END;
CREATE TRIGGER tables_roundvoid_refuse_delete BEFORE DELETE ON tables_roundvoid
BEGIN SELECT RAISE(ABORT, 'append-only: DELETE of tables_roundvoid is refused'); END;
CREATE TRIGGER tables_roundvoid_refuse_replace BEFORE INSERT ON tables_roundvoid
BEGIN
    SELECT RAISE(ABORT, 'append-only: this key of tables_roundvoid is taken')
    WHERE EXISTS (
        SELECT 1 FROM tables_roundvoid
        WHERE id = NEW.id
         OR (round_id = NEW.round_id)
         OR (voided_by_id = NEW.voided_by_id AND void_id = NEW.void_id)
    );
END;

CREATE TRIGGER tables_misdeal_refuse_update BEFORE UPDATE ON tables_misdeal
BEGIN SELECT RAISE(ABORT, 'append-only: UPDATE of tables_misdeal is refused'); END;
CREATE TRIGGER tables_misdeal_refuse_delete BEFORE DELETE ON tables_misdeal
BEGIN SELECT RAISE(ABORT, 'append-only: DELETE of tables_misdeal is refused'); END;
CREATE TRIGGER tables_misdeal_refuse_replace BEFORE INSERT ON tables_misdeal
BEGIN
    SELECT RAISE(ABORT, 'append-only: this key of tables_misdeal is taken')
    WHERE EXISTS (
        SELECT 1 FROM tables_misdeal
        WHERE id = NEW.id
         OR (recorded_by_id = NEW.recorded_by_id AND misdeal_id = NEW.misdeal_id)
    );
END;

CREATE TRIGGER tables_auditentry_refuse_update BEFORE UPDATE ON tables_auditentry
BEGIN SELECT RAISE(ABORT, 'append-only: UPDATE of tables_auditentry is refused'); END;
CREATE TRIGGER tables_auditentry_refuse_delete BEFORE DELETE ON tables_auditentry
BEGIN SELECT RAISE(ABORT, 'append-only: DELETE of tables_auditentry is refused'); END;
CREATE TRIGGER tables_auditentry_refuse_replace BEFORE INSERT ON tables_auditentry
BEGIN
    SELECT RAISE(ABORT, 'append-only: this key of tables_auditentry is taken')
    WHERE EXISTS (
        SELECT 1 FROM tables_auditentry
        WHERE id = NEW.id
    );
END;
