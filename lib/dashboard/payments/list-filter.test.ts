import { describe, expect, it } from 'vitest';
import { readPaymentFilter } from './list-filter.ts';

const read = (text: string, zone = 'UTC') => readPaymentFilter({ query: new URLSearchParams(text), zone, scope: null });
const id = '0193ac5e-77d1-7000-8000-000000007c1e';

function rowsOf(table: string): string[][] {
  const lines = table.trim().split('\n');
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

describe('the filters of the address bar', () => {
  const nothing = {
    search: '',
    states: [],
    protocols: [],
    operations: [],
    methods: [],
    currencies: [],
    mids: [],
    amountFrom: null,
    amountTo: null,
    declineClasses: [],
    reason: '',
    recurring: [],
    cardId: null,
    ids: [],
    attention: false,
    from: null,
    until: null,
    oldestFirst: false,
    byAmount: null,
    merchantId: null,
  };

  const named = rowsOf(`
    q=%20NK-1%20                    | {"search": "NK-1"}
    state=settled,3ds,decline       | {"states": ["threeds", "settled", "declined"]}
    protocol=s2s_apm,checkout       | {"protocols": ["checkout", "s2s_apm"]}
    operation=credit                | {"operations": ["credit"]}
    method=card,paypal-wallet       | {"methods": ["card", "paypal-wallet"]}
    currency=EUR,JPY,BTC            | {"currencies": ["EUR", "JPY", "BTC"]}
    amount_from=15&amount_to=20.50  | {"amountFrom": "15", "amountTo": "20.50"}
    mid=${id}                       | {"mids": ["${id}"]}
    class=funds,bank                | {"declineClasses": ["funds", "bank"]}
    reason=Do%20not%20honor         | {"reason": "Do not honor"}
    recurring=none,first            | {"recurring": ["first", "none"]}
    card=${id}                      | {"cardId": "${id}"}
    ids=${id},1                     | {"ids": ["${id}"]}
    attention=yes                   | {"attention": true}
    sort=oldest                     | {"oldestFirst": true}
    sort=largest                    | {}
    sort=largest&currency=EUR,USD   | {"currencies": ["EUR", "USD"]}
    sort=largest&currency=EUR       | {"currencies": ["EUR"], "byAmount": "largest"}
    sort=smallest&currency=EUR,XXQ  | {"currencies": ["EUR"], "byAmount": "smallest"}
  `);

  it('read a bounded number of values', () => {
    expect(read(`method=${Array(5000).fill('a').join(',')}`).methods).toHaveLength(1000);
    expect(read(`ids=${Array(300).fill(id).join(',')}`).ids).toHaveLength(200);
  });

  it.each(named)('read %s', (text = '', wanted = '') => {
    expect(read(text)).toEqual({ ...nothing, ...JSON.parse(wanted) });
  });

  it("are the user's own merchant", () => {
    const query = new URLSearchParams(`merchant=${id}`);
    expect(readPaymentFilter({ query, zone: 'UTC', scope: 'own' }).merchantId).toBe('own');
  });

  it('read days and a merchant', () => {
    expect(read(`from=2026-11-01&to=2026-11-20&merchant=${id}`)).toEqual({
      ...nothing,
      from: new Date('2026-11-01T00:00:00Z'),
      until: new Date('2026-11-21T00:00:00Z'),
      merchantId: id,
    });
  });

  it.each([
    '',
    'q=&state=&from=&to=&mid=&method=&amount_from=',
    'state=paid,THREEDS,toString&from=2026-02-30&to=tomorrow&after=1&before=x.y',
    'protocol=s2s,constructor&operation=*&currency=EURO,eur&class=all&recurring=always&sort=amount&attention=1',
    'amount_from=-1&amount_to=1e3&mid=1&merchant=x&card=4111&method=a%27b',
    'amount_from=1,5&amount_to=99999999999999999999',
  ])('ignore invalid values: %j', (text) => {
    expect(read(text)).toEqual(nothing);
  });

  it.each([
    ['4111 1111 1111 1111', '1111'],
    ['4111-1111-1111-1111', '1111'],
    ['411111****1111', '1111'],
    ['•••• 4242', '4242'],
    ['4111 1111 1111 1112', '4111 1111 1111 1112'],
    ['1763670000000000', '1763670000000000'],
  ])('search a card number by its last four digits: %s', (text, wanted) => {
    expect(read(`q=${encodeURIComponent(text)}`).search).toBe(wanted);
  });

  it("read days in the user's zone, also where a day has 23 hours", () => {
    const filter = read('from=2026-03-29&to=2026-03-29', 'Europe/Belgrade');
    expect(filter.from).toEqual(new Date('2026-03-28T23:00:00Z'));
    expect(filter.until).toEqual(new Date('2026-03-29T22:00:00Z'));
  });

  it('contain nothing that the database cannot store', () => {
    expect(read('q=a%00b').search).toBe('a\ufffdb');
    expect(read(`q=${'x'.repeat(1000)}`).search).toHaveLength(255);
  });
});
