// S2S CARD and S2S APM in their own names of merchants, actions and fields, for tests that run over both.
import { type ApmMerchant, koraPayout } from './apm-merchant.ts';
import { type CardMerchant, cardFields } from './card-merchant.ts';
import type { Changes } from './merchant.ts';

type Body = (shops: { cardShop: CardMerchant; apmShop: ApmMerchant }) => Changes | Promise<Changes>;

const card = {
  name: 'S2S CARD',
  id: 's2s-card',
  /** The merchant of most tests, one that signs by SHA-256 and whose mapping adds fields, and a third one. */
  merchants: { plain: 'plain', additions: 'additions', other: 'other' },
  /** Fields of a declined sale; each of them alone has this outcome. */
  declined: [cardFields.declined] as Changes[],
  /** Fields of a sale that its payer has to continue. */
  interactive: { challenged: cardFields.challenge, redirected: cardFields.redirect } as Record<string, Changes>,
  /** What only this protocol's callbacks contain. */
  callback: { card: '411111****1111', card_expiration_date: '01/2038' } as Record<string, string>,
  /** What a sale may ask for beyond its outcome. */
  tokens: { req_token: 'Y', recurring_init: 'Y' } as Changes,
  debit: 'DEBIT',
  /** Signed bodies of the actions that move money, other than SALE. */
  movements: {
    DEBIT: ({ cardShop }) => cardShop.signed(cardShop.chargeBody('DEBIT')),
    CARD2CARD: ({ cardShop }) => cardShop.signed(cardShop.chargeBody('CARD2CARD')),
    CREDIT2CARD: ({ cardShop }) => cardShop.payoutBody(),
    RECURRING_SALE: async ({ cardShop }) => cardShop.secondaryBody(await cardShop.sell({ recurring_init: 'Y' })),
    RECURRING_DEBIT: async ({ cardShop }) =>
      cardShop.secondaryBody(await cardShop.sell({ recurring_init: 'Y' }, 'DEBIT'), {}, 'RECURRING_DEBIT'),
  } as Record<string, Body>,
  /** Fields that are compared when an order number is repeated. */
  compared: { payer_email: 'else@example.com', card_number: '4242424242424242' } as Record<string, string>,
  unknownActions: [
    ...['REFUND', 'CREDIT', 'REVERSAL', 'REVERSE', 'CHARGEBACK', 'CANCEL_SCHEDULE', 'STOP_SCHEDULE', 'SCHEDULE_CANCEL'],
    ...['GET_SCHEDULE', 'GET_SCHEDULE_STATUS', 'RECURRING_PAYMENT', 'REC_SALE', 'REC_PAYMENT', 'RECURRING_SALE_INIT'],
    '__proto__x',
  ],
} as const;

const apm = {
  name: 'S2S APM',
  id: 's2s-apm',
  merchants: { plain: 'methods', additions: 'methodAdditions', other: 'payerBears' },
  declined: [{ identifier: 'fail@gmail.com' }, { identifier: 'someone', payer_email: 'fail@gmail.com' }] as Changes[],
  interactive: { redirected: { brand: 'astropay' }, coded: { brand: 'ips' }, shown: { brand: 'webpaygate' } } as Record<
    string,
    Changes
  >,
  callback: {} as Record<string, string>,
  tokens: {} as Changes,
  debit: 'DEBIT2VIRTUAL',
  movements: {
    DEBIT2VIRTUAL: ({ apmShop }) => apmShop.signed(apmShop.chargeBody('DEBIT2VIRTUAL')),
    CREDIT2VIRTUAL: ({ apmShop }) => apmShop.creditBody(koraPayout),
  } as Record<string, Body>,
  compared: { identifier: 'fail@gmail.com', brand: 'astropay' } as Record<string, string>,
  unknownActions: [
    ...['REFUND', 'CREDIT', 'REVERSAL', 'GET_TRANS_STATUS_BY_ORDER', 'GET_TRANS_DETAILS', 'RETRY', 'DEBIT'],
    ...['CARD2CARD', 'CREDIT2CARD', 'RECURRING_SALE', 'CREATE_SCHEDULE', 'DEBIT2VIRTUAL_', 'DEBIT2CRYPTO'],
    'constructor',
  ],
} as const;

export const s2sProtocols = [card, apm];

export type S2sProtocol = (typeof s2sProtocols)[number];
