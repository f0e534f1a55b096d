/** The attempts of the overview's period by merchant, MID or card brand, compared with the previous period. */
import { brandById } from '../../core/cards.ts';
import { exponentOf } from '../../core/currencies.ts';
import { formatAmount } from '../../core/money.ts';
import { attemptKindsSql, queryOnce } from '../../db/index.ts';
import type { PageContext } from '../guard.ts';
import { comparedUntil, confinedTo, midChoices, sum } from './overview.ts';
import { readPeriod } from './period.ts';
import { midsOf, paramsOf, type Span, within } from './volume-queries.ts';

const rowsMax = 50;
const groups = ['merchant', 'mid', 'brand'] as const;

type Sums = { attempts: number; approved: number; approvedMinor: bigint; chargebacks: number };
type Row = Sums & { id: string };

/** The sums of each MID, or of each card brand. */
function readSums(span: Span, byBrand: boolean, currency: string): Promise<Row[]> {
  const [key, cards] = byBrand ? ["coalesce(k.brand, '')", 'join cards k on k.id = t.card_id'] : ['t.mid_id::text', ''];
  return queryOnce(
    `select ${key} as id, count(*) filter (where t.kind <> 'chargeback')::int as attempts,
            count(*) filter (where t.kind <> 'chargeback' and t.status = 'success')::int as approved,
            coalesce(sum(t.amount_minor) filter (where t.kind <> 'chargeback' and t.status = 'success'
                                                   and t.currency = :currency::text), 0)::bigint as "approvedMinor",
            count(*) filter (where t.kind = 'chargeback')::int as chargebacks
       from transactions t ${cards}
      where t.mid_id in (${midsOf(span)}) and ${within('t.created_at')}
        and ((t.kind in ${attemptKindsSql()} and t.status in ('success', 'fail')) or t.kind = 'chargeback')
      group by 1`,
    { ...paramsOf(span), currency },
  );
}

/** Each row with its sums of both periods; `by`, `currency` and the overview's filters are in the query. */
export async function breakdown({ query, scope, zone, now }: PageContext) {
  const by = groups.find((name) => name === query.get('by')) ?? 'mid';
  const named = query.get('currency') ?? '';
  const currency = exponentOf(named) === null ? 'EUR' : named;
  const cut = readPeriod(query, zone, now);
  const confined = confinedTo({ query, scope });
  const [sums, sumsBefore, mids] = await Promise.all([
    readSums({ ...confined, starts: cut.starts, until: cut.until }, by === 'brand', currency),
    readSums({ ...confined, ...cut.before, until: comparedUntil(cut, now) }, by === 'brand', currency),
    by === 'brand' ? [] : midChoices(confined),
  ]);
  const known = new Map(mids.map((mid) => [mid.id, mid]));
  const idOf = ({ id }: Row) => (by === 'merchant' ? (known.get(id)?.merchantId ?? '') : id);
  const before = Map.groupBy(sumsBefore, idOf);
  const merchantNames = new Map(mids.map(({ merchantId, merchantName }) => [merchantId, merchantName]));
  const nameOf = (id: string) =>
    by === 'brand'
      ? (brandById(id)?.name ?? 'Other brand')
      : ((by === 'merchant' ? merchantNames.get(id) : known.get(id)?.name) ?? 'Others');
  const rows = [...Map.groupBy(sums, idOf)]
    .map(([id, own]) => {
      const { attempts, approved, approvedMinor, chargebacks } = sumOf(own);
      return {
        id,
        name: nameOf(id),
        attempts,
        chargebacks: by === 'brand' ? null : chargebacks,
        merchantName: (by === 'mid' && known.get(id)?.merchantName) || null,
        approved: shareOf({ attempts, approved }),
        approvedBefore: shareOf(sumOf(before.get(id) ?? [])),
        volume: formatAmount(approvedMinor, currency),
      };
    })
    .filter(({ attempts, chargebacks }) => attempts > 0 || chargebacks)
    .sort((one, other) => other.attempts - one.attempts || one.name.localeCompare(other.name));
  return { by, currency, rows: rows.slice(0, rowsMax), more: Math.max(0, rows.length - rowsMax) };
}

const sumOf = (rows: readonly Sums[]): Sums => ({
  attempts: sum(rows, 'attempts'),
  approved: sum(rows, 'approved'),
  approvedMinor: rows.reduce((total, { approvedMinor }) => total + approvedMinor, 0n),
  chargebacks: sum(rows, 'chargebacks'),
});

/** The approved share of the completed attempts; null if there are none. */
const shareOf = ({ attempts, approved }: Pick<Sums, 'attempts' | 'approved'>) =>
  attempts === 0 ? null : approved / attempts;
