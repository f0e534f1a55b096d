// The bodies that Florin sends to providers, as lib/connectors/http.wire.ts writes them.
import { z } from 'zod';
import { contractTextMax, publicIdMax } from '../connectors/index.ts';
import { money, text } from './common-schemas.ts';

const textUpTo = (most: number, description: string) => z.string().max(most).meta({ description });
const flag = (description: string) => z.boolean().optional().meta({ description });
const integer = (description: string) => z.int().optional().meta({ description });
const address = (description: string) => z.string().meta({ description, format: 'uri' });

const reference = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'The key of the operation, unique in the MID: the same text as the Idempotency-Key.' });
const currency = text('The alphabetic code of ISO 4217, or the code of a cryptocurrency.', 'EUR');

const card = z.object({
  number: z.string().regex(/^\d+$/).meta({ description: 'The card number, digits only.' }),
  exp_month: z
    .string()
    .regex(/^(0[1-9]|1[0-2])$/)
    .meta({ description: 'The month of expiry.' }),
  exp_year: z
    .string()
    .regex(/^\d{4}$/)
    .meta({ description: 'The year of expiry.' }),
  cvv: text('The security code, if known. It must never be stored.').optional(),
  holder: text('The card holder, if known.').optional(),
});

const wallet = z.object({
  type: z.enum(['applepay', 'googlepay']).meta({ description: 'The wallet.' }),
  pan_type: z.enum(['dpan', 'fpan']).meta({ description: 'A device number (dpan), or the number on the card (fpan).' }),
  cryptogram: text("Base64: the device's proof for this payment. It must never be stored.").optional(),
  eci: text('The ECI, if the wallet gave one.').optional(),
});

const personTexts: readonly string[] = [
  ...['first_name', 'last_name', 'middle_name', 'birth_date', 'email', 'phone', 'phone_country_code', 'ip'],
  ...['country', 'state', 'city', 'district', 'address', 'address2', 'house_number', 'zip', 'language', 'identifier'],
];
const person = (description: string) =>
  z
    .object(
      Object.fromEntries(
        personTexts.map((name) => [name, text(`The member ${name} of the person, if known.`).optional()]),
      ),
    )
    .meta({ description });

const browser = z.object({
  accept_headers: text('The Accept header.').optional(),
  user_agent: text('The User-Agent header.').optional(),
  language: text('The language.', 'sv-SE').optional(),
  color_depth: integer('The color depth in bits.'),
  screen_height: integer('The height of the screen in pixels.'),
  screen_width: integer('The width of the screen in pixels.'),
  timezone_offset: integer('Minutes, as browsers give them.'),
  java_enabled: flag('Whether Java is on.'),
  javascript_enabled: flag('Whether JavaScript is on.'),
  platform: text('The platform.').optional(),
});

const payoutMembers = {
  reference,
  method: text("A payment method's id; card for cards.", 'card'),
  amount: money("Decimal text with exactly the currency's decimals."),
  currency,
  order: z
    .object({
      number: textUpTo(255, 'The number, as the merchant sent it. It does not identify a payment.'),
      description: textUpTo(1024, 'The description, as the merchant sent it.'),
    })
    .meta({ description: 'The order of the merchant.' }),
  payee_card: card
    .partial({ exp_month: true, exp_year: true })
    .optional()
    .meta({ description: 'The receiving card of a transfer or a payout.' }),
  payer: person(`The payer. Names, address lines and the telephone have up to ${contractTextMax} characters.`),
  payee: person('The recipient of a payout or a transfer.').optional(),
  three_ds: z
    .enum(['own', 'none'])
    .optional()
    .meta({
      description: 'own (the default): the provider decides on authentication. none: it must not authenticate.',
    }),
  mpi: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description:
        'The results of a 3-D Secure authentication made elsewhere: eci, authentication_value, ds_trans_id, 3ds_version, trans_status, xid.',
    }),
  recurring: z
    .enum(['first', 'next'])
    .optional()
    .meta({
      description: 'first: the initial payment, with the payer present; next: a subsequent payment, without the payer.',
    }),
  credentials: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: "The MID's settings for the method, except those that are sent as headers." }),
  parameters: z
    .record(z.string(), z.unknown())
    .meta({ description: "The method's own parameters, as the merchant sent them." }),
  descriptor: text("The merchant's name for the payer's statement and the bank's page.").optional(),
  return_url: address("The address to which the payer's browser returns, with GET, after a challenge or a redirect."),
  notify_url: address('The address of notifications.'),
};

/** The body of POST /payouts. */
export const payoutRequest = z.object(payoutMembers);

/** The body of POST /payments. */
export const paymentRequest = z.object({
  ...payoutMembers,
  operation: z
    .enum(['sale', 'authorize', 'debit', 'transfer'])
    .meta({
      description:
        'sale captures at once; authorize authorises for a later capture; debit is a debit; transfer moves money from card to payee_card.',
    }),
  card: card.optional().meta({ description: 'The card, for the method card.' }),
  wallet: wallet.optional().meta({ description: 'The wallet of card.' }),
  browser: browser.optional().meta({ description: "The payer's browser, for 3-D Secure." }),
});

/** The body of a capture or refund. */
export const modificationRequest = z.object({
  reference,
  amount: money('Absent for the whole authorised or refundable amount.').optional(),
  currency: currency.optional(),
});

/** The body of a void, which always applies to the whole payment. */
export const voidRequest = z.object({ reference });

/** The body of POST /payments/{original}/proceed. */
export const proceedRequest = z.union([
  z.object({ reference, code: text('The one-time code that the payer entered.', '123456') }),
  z.object({ reference, renew: z.literal(true).meta({ description: 'The payer requests a new QR code.' }) }),
]);

/** The body of POST /tokens. */
export const tokenRequest = z.object({
  method: text('The method.', 'paycash-peru'),
  private_key: text("The MID's private key for the method."),
});

/** The body of POST /references. */
export const referenceRequest = z.object({
  method: text('The method.', 'paycash-peru'),
  amount: money('The amount of the payment.'),
  currency,
  public_id: textUpTo(publicIdMax, "The start of the payment's reference."),
  single: z.boolean().meta({ description: 'false for the initial payment of a recurring payment.' }),
});
