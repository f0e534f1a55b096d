// The ledger agrees with the payments after every statement that changes them.
import { invariants } from '../../../lib/operations/ledger/invariants.ts';
import { sources } from '../../../lib/operations/ledger/sources.ts';
import type { World } from '../world.ts';

/** The tables whose triggers post entries. */
const posting = ['transactions', 'payments', 'unresolved'];
/** In every history would double its time. */
const checkedHistories = 0.1;

const ofLedger = invariants.filter(({ name }) => name.endsWith(' in the ledger'));
const disagreeing = `select ${sources.payments?.show}, ${ofLedger
  .map(({ name, broken }) => `${broken} as "${name}"`)
  .join(', ')} from ${sources.payments?.from} where ${ofLedger.map(({ broken }) => `(${broken})`).join(' or ')}`;

/** Compares the sums of the payments with their entries after every statement, in one history of ten. */
export function watchLedger({ base, chance, statements, report }: World) {
  if (chance.draws('ledger')() >= checkedHistories) return;
  const written = () => posting.map((table) => base.writes.get(table) ?? 0).join();
  let checked = written();
  let isFound = false;
  statements.push(() => () => {
    if (isFound || checked === written()) return;
    checked = written();
    void base.rows(disagreeing).then(([row]) => {
      if (!row || isFound) return;
      isFound = true;
      report(`the ledger disagrees after a statement: ${JSON.stringify(row)}`);
    });
  });
}
