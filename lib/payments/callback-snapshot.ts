/**
 * Builds the snapshot of a payment that is stored with a callback, so that repeats report the same values after later
 * changes (`CallbackSnapshot` in lib/callbacks).
 */
import { attemptKindsSql } from '../db';

/**
 * SQL for the value of callbacks.facts, over the payment `p` and the reported transaction `x`. `facts` and `action` are
 * SQL for the transaction's current provider data and next action.
 */
export const callbackSnapshotSql = (facts: string, action: string) => `jsonb_build_object(
           'payment', jsonb_build_object(
             'payer', p.payer, 'payee', p.payee, 'parameters', p.parameters, 'method', p.method, 'attemptId', p.attempt_id,
             'cardToken', p.card_token, 'recurringToken', p.recurring_token, 'firstRecurring', p.first_recurring,
             'digitalWallet', p.digital_wallet, 'panType', p.pan_type),
           'card', (select jsonb_build_object('id', k.id, 'first6', k.first6, 'last4', k.last4, 'brand', k.brand,
                                              'expMonth', k.exp_month, 'expYear', k.exp_year, 'holder', null)
                      from cards k where k.id = coalesce(x.card_id, p.card_id)),
           'facts', ${facts},
           'action', ${action},
           'attemptFacts', (select a.facts from transactions a
                             where x.attempt_id is not null and a.payment_id = p.id
                               and a.kind in ${attemptKindsSql()}
                             order by (a.status = 'success') desc, a.number desc, a.created_at desc limit 1))`;
