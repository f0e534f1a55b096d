// A month of payments of the demo merchant before the first start, so that every list of the dashboard has rows.
// demo-payments.ts makes the payments.

const whats = [
  ...['paid', 'part refunded', 'refunded', 'voided', 'held', 'captured', 'released', 'disputed', 'declined'],
  ...['keeps', 'again', 'expired', 'left', 'open', 'payout', 'weekly', 'monthly', 'unheard'],
] as const;

export type What = (typeof whats)[number];

/** `when`: days and UTC time before today, or minutes before now. `means`: a sandbox card's id, or a method's. */
export type Order = {
  when: string;
  what: What;
  amount: string;
  currency: string;
  means: string;
  payer: Payer;
  goods: string;
};

type Payer = { name: string; email: string; country: string; ip: string };

const payers: Record<string, Payer> = {
  lena: { name: 'Lena Hoffmann', email: 'lena.hoffmann@example.com', country: 'DE', ip: '198.51.100.7' },
  tomasz: { name: 'Tomasz Nowak', email: 't.nowak@example.com', country: 'PL', ip: '198.51.100.21' },
  marta: { name: 'Marta Rossi', email: 'marta.rossi@example.com', country: 'IT', ip: '203.0.113.44' },
  johan: { name: 'Johan Lindqvist', email: 'j.lindqvist@example.com', country: 'SE', ip: '203.0.113.9' },
  clara: { name: 'Clara Dubois', email: 'c.dubois@example.com', country: 'FR', ip: '198.51.100.130' },
  hiro: { name: 'Hiro Tanaka', email: 'h.tanaka@example.com', country: 'JP', ip: '203.0.113.201' },
  ana: { name: 'Ana Petrovic', email: 'ana.petrovic@example.com', country: 'RS', ip: '198.51.100.88' },
  nils: { name: 'Nils Berg', email: 'n.berg@example.com', country: 'NO', ip: '203.0.113.63' },
  daniel: { name: 'Daniel Ferreira', email: 'd.ferreira@example.com', country: 'PT', ip: '198.51.100.54' },
  emily: { name: 'Emily Carter', email: 'emily.carter@example.com', country: 'GB', ip: '203.0.113.118' },
};

const table = `
  29 09:12 | paid          | 129.00 EUR | visa        | lena   | Trail shoes, size 42
  29 14:40 | paid          | 84.50 EUR  | mastercard  | tomasz | Two stoneware bowls
  28 11:05 | declined      | 36.20 EUR  | no-funds    | johan  | Tea towels, set of six
  28 11:09 | paid          | 36.20 EUR  | mastercard  | johan  | Tea towels, set of six
  27 08:30 | weekly        | 14.90 EUR  | visa        | ana    | Coffee box, every week
  27 16:18 | paid          | 219.99 PLN | blik        | tomasz | Reading lamp
  26 10:02 | part refunded | 412.00 EUR | mastercard  | marta  | Garden chairs, pair
  26 19:47 | expired       | 75.00 EUR  | visa        | clara  | Linen curtain
  25 12:33 | paid          | 18400 JPY  | jcb         | hiro   | Chef's knife
  24 09:20 | disputed      | 980.00 EUR | visa        | daniel | Road bike, used
  24 17:02 | paid          | 59.90 EUR  | ppro-ideal  | clara  | Picture frame
  23 13:45 | keeps         | 64.00 GBP  | amex        | emily  | Rain jacket
  22 10:11 | paid          | 142.30 EUR | visa        | lena   | Hiking backpack
  21 15:26 | voided        | 310.75 EUR | maestro     | nils   | Espresso grinder
  20 09:00 | monthly       | 49.00 EUR  | mastercard  | marta  | Club membership, first month
  20 18:31 | left          | 88.15 EUR  | visa        | nils   | Wool blanket
  19 11:54 | captured      | 249.00 EUR | visa        | johan  | Standing desk
  18 14:07 | paid          | 75.00 EUR  | ppro-klarna | ana    | Kitchen scale
  17 09:38 | refunded      | 59.00 EUR  | mastercard  | clara  | Desk organiser
  17 20:15 | declined      | 640.00 EUR | over-limit  | daniel | Camera lens
  16 12:12 | again         | 28.00 GBP  | amex        | emily  | Rain hat
  15 10:40 | paid          | 33.500 KWD | visa        | hiro   | Prayer rug
  14 16:55 | payout        | 120.00 EUR | payout      | marta  | Sale of used chairs
  13 08:22 | paid          | 96.00 EUR  | paypal      | lena   | Running watch strap
  12 13:30 | released      | 180.00 EUR | visa        | nils   | Hotel deposit
  11 11:48 | paid          | 1249.00 EUR | mastercard | johan  | E-bike, deposit
  10 09:05 | disputed      | 47.90 USD  | discover    | emily  | Phone case and charger
  9 15:33  | expired       | 22.00 EUR  | visa        | tomasz | Notebook, dotted
  8 10:29  | paid          | 320.00 PLN | blik        | tomasz | Winter boots
  7 17:44  | paid          | 54.00 EUR  | visa        | clara  | Table runner
  6 12:01  | unheard       | 118.00 EUR | mastercard  | marta  | Cast-iron pan
  6 19:19  | declined      | 215.00 EUR | 3ds-failed  | daniel | Headphones
  5 09:50  | again         | 42.00 GBP  | amex        | emily  | Umbrella
  5 14:36  | part refunded | 205.00 EUR | visa        | lena   | Tent, two persons
  4 11:11  | paid          | 9800 JPY   | jcb         | hiro   | Whetstone
  4 16:20  | payout        | 60.00 EUR  | payout      | nils   | Deposit returned
  3 08:58  | paid          | 73.40 EUR  | ppro-sofort | ana    | Bath towels
  3 13:13  | declined      | 73.40 USD  | no-funds    | emily  | Sun glasses
  2 10:24  | held          | 560.00 EUR | visa        | johan  | Hotel room, three nights
  2 15:02  | paid          | 39.00 EUR  | mastercard  | marta  | Flower bulbs
  1 09:41  | paid          | 112.00 EUR | visa        | clara  | Dinner plates, set of four
  1 12:26  | held          | 84.00 EUR  | mastercard  | nils   | Car rental deposit
  1 18:03  | left          | 31.00 EUR  | visa        | daniel | Bicycle bell
  1 19:30  | paid          | 27.50 EUR  | visa        | ana    | Olive oil, two litres
  35 min   | paid          | 65.00 EUR  | visa        | lena   | Water bottle and holder
  12 min   | open          | 48.00 EUR  | visa        | tomasz | Desk lamp
  4 min    | paid          | 23.90 EUR  | mastercard  | clara  | Candles, box of ten
`;

/** Every order of the table. */
export const demoHistory: Order[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [when = '', what = '', money = '', means = '', payer = '', goods = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    const [amount = '', currency = ''] = money.split(' ');
    const person = payers[payer];
    if (!person || !whats.includes(what as What)) throw new Error(`Invalid line of the demo history: ${line}`);
    return { when, what: what as What, amount, currency, means, payer: person, goods };
  });
