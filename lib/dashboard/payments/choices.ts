/** The choices of the payment list's filters that depend on the merchant, with the user's labels. */
import { query, queryOnce } from '../../db';
import { findMethod } from '../../methods/catalog';
import { merchantChoices } from '../merchants/choices';

const wallets = [
  { id: 'applepay', name: 'Apple Pay' },
  { id: 'googlepay', name: 'Google Pay' },
];

type MidRow = { id: string; name: string; merchantName: string; methods: string[] };

/** The choices among the payments of `scope`, or of every merchant. */
export async function paymentChoices(scope: string | null) {
  const [merchants, mids, currencies] = await Promise.all([
    scope === null ? merchantChoices(scope) : [],
    query<MidRow>(
      'choices-mids',
      `select i.id, i.name, m.name as "merchantName", i.methods from mids i join merchants m on m.id = i.merchant_id
        where $1::uuid is null or i.merchant_id = $1 order by lower(i.name), lower(m.name), i.id`,
      [scope],
    ),
    currenciesOf(scope),
  ]);
  const methods = [...new Set(mids.flatMap((mid) => mid.methods))].sort();
  const named = methods.map((id) => ({ id, name: id === 'card' ? 'Card' : (findMethod(id)?.name ?? id) }));
  return {
    ...{ merchants, currencies },
    mids: mids.map(({ methods: _methods, ...mid }) => mid),
    methods: [...named, ...wallets.filter(({ id }) => !methods.includes(id))],
  };
}

// Steps from one currency to the next in the index, without reading the payments between.
async function currenciesOf(merchantId: string | null): Promise<string[]> {
  const rows = await queryOnce<{ currency: string }>(
    `select distinct found.currency from merchants m cross join lateral (
       with recursive each(currency) as (
         select min(currency) from payments where merchant_id = m.id
         union all
         select (select min(p.currency) from payments p where p.merchant_id = m.id and p.currency > each.currency)
           from each where each.currency is not null
       )
       select currency from each where currency is not null
     ) found where $1::uuid is null or m.id = $1 order by found.currency`,
    [merchantId],
  );
  return rows.map(({ currency }) => currency);
}
