/** The choices of the payment list's filters that depend on the merchant. */
import { query, queryOnce } from '../../db';

export type PaymentFilterChoices = {
  merchants: { id: string; name: string }[];
  mids: { id: string; name: string; merchantName: string }[];
  /** By MID id. */
  methods: string[];
  /** Currencies that payments used. */
  currencies: string[];
};

/** The choices among the payments of `merchantId`, or of every merchant. */
export async function findFilterChoices(merchantId: string | null): Promise<PaymentFilterChoices> {
  const [merchants, mids, currencies] = await Promise.all([
    query<{ id: string; name: string }>(
      'choices-merchants',
      'select id, name from merchants where $1::uuid is null or id = $1 order by lower(name), id',
      [merchantId],
    ),
    query<{ id: string; name: string; merchantName: string; methods: string[] }>(
      'choices-mids',
      `select i.id, i.name, m.name as "merchantName", i.methods from mids i join merchants m on m.id = i.merchant_id
        where $1::uuid is null or i.merchant_id = $1 order by lower(i.name), lower(m.name), i.id`,
      [merchantId],
    ),
    currenciesOf(merchantId),
  ]);
  return {
    merchants,
    mids: mids.map(({ id, name, merchantName }) => ({ id, name, merchantName })),
    methods: [...new Set(mids.flatMap(({ methods }) => methods))].sort(),
    currencies,
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
