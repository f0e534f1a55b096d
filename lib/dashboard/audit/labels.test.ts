import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../e2e/support/text-table.ts';
import { actorNameOf, fieldsOf, hrefOf, noteOf, sentenceOf } from './labels.ts';

describe('the text of an entry', () => {
  it.each(
    rowsOf(`
      sign_in               | user:1                        | Ann   | {"proof": "password"}     | Signed in with password
      sign_in.locked        | email:a@b.example             |       | {}                        | Locked a@b.example after 10 failures
      sign_in.failed        | user:1                        | Ann   | {}                        | Entered a wrong password for Ann
      sign_in.failed        | email:unknown                 |       | {}                        | Entered a wrong password for an unknown account
      sign_in               | user:1                        | Ann   | {"proof": "passkey"}      | Signed in with passkey
      sign_in.failed        | user:1                        | Ann   | {"proof": "passkey"}      | Used an invalid passkey for Ann
      sign_in.failed        | email:unknown                 |       | {"proof": "passkey"}      | Used an invalid passkey for an unknown account
      proof.wrong           | user:1                        | Ann   | {"proof": "password"}     | Entered a wrong password
      proof.wrong           | user:1                        | Ann   | {"proof": "code"}         | Entered a wrong code
      proof.wrong           | user:1                        | Ann   | {"proof": "passkey"}      | Used an invalid passkey
      passkey.add           | user:1                        | Ann   | {"name": "Laptop"}        | Added passkey Laptop
      passkey.counter       | user:1                        | Ann   | {"name": "Laptop"}        | Refused passkey Laptop of Ann: it may be copied, because its counter did not grow
      upload.infected       | user:1                        | Ann   | {"field": "logo", "finding": "Eicar"} | Refused a file (logo) with malware: Eicar
      upload.unscanned      | user:1                        | Ann   | {"field": "logo"}         | Refused a file (logo) that could not be scanned for viruses
      access.refused        | user:1                        | Ann   | {"target": "GET /dashboard/mids"} | Requested GET /dashboard/mids (refused)
      payment.refund        | payment:1                     | NK-1  | {"amount": "40.00"}       | Refunded 40.00 of payment NK-1
      payment.refund        | payment:1                     | NK-1  | {"amount": "10.50", "currency": "EUR"} | Refunded 10.50 EUR of payment NK-1
      payment.refund.refused | payment:1                    | NK-1  | {"amount": "40.00"}       | Refunded 40.00 of payment NK-1 (refused)
      unresolved.close      | payment:1                     | NK-1  | {"decision": "closed"}    | Closed an unresolved item of payment NK-1
      unresolved.close      | payment:1                     | NK-1  | {"decision": "approved"}  | Closed an unresolved item of payment NK-1 as approved
      request.send          | merchant:1                    | Acme  | {"action": "SALE"}        | Sent a test request SALE as Acme
      key.end               | key:1                         | k1    | {}                        | Revoked key k1
      audit_log.read        | audit_log                     |       | {}                        | Read the audit log
      audit_log.export      | audit_log                     |       | {}                        | Exported the audit log
      mid.change            | mid:1                         | Acme  | {}                        | Changed MID Acme
      theme.create          | merchant:1                    | Acme  | {"name": "Sale"}          | Created theme Sale of Acme
      theme.delete.refused  | merchant:1                    | Acme  | {"name": "Sale"}          | Deleted theme Sale of Acme (refused)
      theme.publish         | theme:1                       | Sale  | {}                        | Published theme Sale
      mid.check             | mid:1                         | Acme  | {}                        | Checked MID Acme
      routing.draft.save    | mapping:1                     | Acme  | {}                        | Saved a draft of the rules of Acme
      routing.draft.rebase.refused | mapping:1              | Acme  | {}                        | Rebased the draft of the rules of Acme (refused)
      wallet.domain_check   | wallet:1                      | Shop  | {}                        | Checked a domain of wallet Shop
      wallet.domain_remove  | wallet:1                      | Shop  | {}                        | Wallet Shop: domain remove
      key.reveal            | key:0192f3a4-5b6c-7d8e-9f01-23456789abcd | | {}                  | Revealed key 0192f3a4…
      person.role           | user:1                        | Ann   | {"role": "merchant_owner"} | Changed the role of Ann to merchant owner
      signature.refused     | merchant:1                | Acme  | {"count": 3, "protocol": "Checkout", "reason": "hash"} | Refused 3 requests of Acme to Checkout with a wrong hash
      signature.refused     | merchant:unknown          |       | {"count": 1, "protocol": "S2S APM", "reason": "hash"} | Refused 1 request of an unknown merchant to S2S APM with a wrong hash
      notification.refused  | mid:1                     | Acme  | {"count": 2}              | Refused 2 notifications with a wrong signature for MID Acme
      sign_in.refused       | email:unknown             |       | {"count": 2, "reason": "too many attempts"} | Refused 2 sign-ins of an unknown account: too many attempts
      payments.archive      | archive                   |       | {"payments": 262}         | Archived 262 payments
      vault.rotate          | vault                     |       | {"what": "data key"}      | Rotated the data key of the vault
      invitation.send       | email:a@b.example             |       | {"role": "viewer"}        | Invited a@b.example as viewer
    `),
  )('%s on %s', (action = '', subject = '', name, after = '', wanted) => {
    const result = { action, subject, subjectName: name || null, before: null, after: JSON.parse(after) };
    expect(sentenceOf(result)).toBe(wanted);
  });
});

it.each([
  ['user:1', 'Ann', 'Ann'],
  ['user:1', null, 'Deleted user'],
  ['unauthenticated', null, 'Unauthenticated'],
  ['nobody', null, 'Unauthenticated'],
  ['command', null, 'Command line'],
  ['florin', null, 'Florin'],
])('the actor %s with the name %s is %s', (actor, actorName, name) => {
  expect(actorNameOf({ actor, actorName })).toBe(name);
});

it('names the fields of both states in their order', () => {
  const { fields, changes } = fieldsOf({ b: '2', on: true }, { b: '3', a: ['x', 'y'], on: false });
  expect(changes).toBe(true);
  expect(fields).toEqual([
    { name: 'a', before: null, after: 'x, y' },
    { name: 'b', before: '2', after: '3' },
    { name: 'on', before: 'on', after: 'off' },
  ]);
});

it.each([
  ['payment:1', '/dashboard/payments/1'],
  ['mid:2', '/dashboard/mids/2'],
  ['email:a@b.example', null],
  ['merchant:', null],
])('%s links to %s', (subject, href) => {
  expect(hrefOf(subject)).toBe(href);
});

it.each([
  [{ action: 'sign_in', source: '203.0.113.80' }, 1, false, '203.0.113.80'],
  [{ action: 'sign_in.failed', source: '203.0.113.80', result: 'failure' }, 1, false, '203.0.113.80'],
  [{ action: 'mid.change', source: '203.0.113.80' }, 2, true, '2 fields'],
  [{ action: 'mid.change' }, 1, true, '1 field'],
  [{ action: 'payment.refund', after: { reason: 'Broken' } }, 1, false, '“Broken”'],
  [{ action: 'payment.void' }, 0, false, null],
] as const)('%j has a note', (entry, count, changes, wanted) => {
  expect(noteOf({ after: null, result: 'success', source: null, ...entry }, count, changes)).toBe(wanted);
});
