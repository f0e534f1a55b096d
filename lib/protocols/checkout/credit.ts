// POST /api/v1/payment/card/credit: a payout to a stored card without a payment page (interface.md, Card credit
// request; protocol.md 3). The request is flat. The response comes on acceptance; a callback reports the outcome.
import { z } from 'zod';
import { fieldErrorTexts } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { acceptAsync, type PaymentInput } from '../../payments/index.ts';
import { action } from '../pipeline/handle.ts';
import * as field from '../shared/fields.ts';
import { ignoringBlanks, withRules } from '../shared/fields.ts';
import { checkReachable, eligibleCards, getUsableCardToken } from '../shared/request-checks.ts';
import { payeeOf } from '../shared/wire-fields.ts';
import { cardParameterErrors, storedParameters } from './methods.ts';
import { orderInput, orderValues } from './session.ts';

/** The order's fields are at the top level; an `order` object is a field error (contract, Errors). */
export const creditSchema = ignoringBlanks(
  withRules(
    z.object({
      merchant_key: field.text(1, 64),
      order_id: field.text(1, 255),
      order_amount: field.amount,
      order_currency: field.currency,
      order_description: field.text(2, 1024),
      order: z.undefined({ error: fieldErrorTexts.notValid }).optional(),
      card_token: field.cardToken,
      ...field.eachOf(['payee_first_name', 'payee_last_name'], field.payerText.optional()),
      payee: field.customer.extend({ phone: field.phone.optional() }).optional(),
      payee_billing_address: field.billingAddress.optional(),
      parameters: field.methodParameters.optional(),
      notification_url: field.webUrl.optional(),
      custom_data: field.customData.optional(),
      channel_id: field.text(1, 16).optional(),
      hash: field.text(1, 128),
    }),
    (body) => {
      const amountError = field.orderAmountError(body.order_amount, body.order_currency, false);
      const errors = cardParameterErrors(body.parameters, 'credit');
      return amountError ? [{ path: 'order_amount', text: amountError }, ...errors] : errors;
    },
    [
      field.amountRule('order_amount'),
      { fields: ['parameters'], text: 'Parameters of card, in the formats of its sets for payouts.' },
    ],
  ),
  ['payee', 'payee_billing_address'],
);

type CreditRequest = z.output<typeof creditSchema>;

const orderOf = (input: CreditRequest) => ({
  number: input.order_id,
  amount: input.order_amount,
  currency: input.order_currency,
  description: input.order_description,
});

/** POST /api/v1/payment/card/credit. The expiry is that of the stored card. */
export const cardCredit = action<CreditRequest>({
  schema: creditSchema,
  signature: (input) => ({ recipe: 'cardCredit', values: orderValues(orderOf(input)), hash: input.hash }),
  paysOut: () => true,
  run: async ({ caller, input, now }) => {
    const order = orderOf(input);
    const amountMinor = field.minorOf(order.amount, order.currency);
    // A session of the same order within 15 seconds is another request.
    const request = orderInput(order, amountMinor, 'credit');
    const wanted = { operation: 'credit', currency: order.currency, amountMinor, request } as const;
    const { eligibility } = await eligibleCards(caller, now, wanted);
    const { card } = await getUsableCardToken(caller, input.card_token, now);
    await checkReachable(input.notification_url);
    const id = newId();
    const place = { id, merchantId: caller.merchant.id, operation: 'credit' } as const;
    const payment: PaymentInput = {
      id,
      operation: 'credit',
      ...request,
      payee: payeeOf(input),
      parameters: await storedParameters(input.parameters, place),
      customData: input.custom_data,
      notificationUrl: input.notification_url,
      channelId: input.channel_id,
    };
    const storedCard = { storedCard: { cardId: card.id, token: input.card_token } };
    const made = await acceptAsync(caller, payment, storedCard, eligibility, now);
    return { payment_id: made.id, result: 'accepted' };
  },
});
