/** The choices of a MID's form: methods, currencies, connectors. */

import { env } from '../../config/index.ts';
import { currencies } from '../../core/currencies.ts';
import { connectorNames } from '../../merchants/index.ts';
import { cardSetIds } from '../../methods/card-sets.ts';
import { methods } from '../../methods/catalog.ts';
import type { Experience } from '../../methods/method.ts';
import { namedOptions } from '../lists/filters.ts';
import { merchantChoices } from '../merchants/choices.ts';
import { credentialFields } from './provider.ts';
import { midOperations } from './schema.ts';

const experienceNames: Readonly<Record<Experience, string>> = {
  card: 'Cards',
  redirect: 'Redirect to the provider',
  app: 'Opens an app',
  confirm: 'Approved in another app',
  details: 'Bank details or voucher',
  qr: 'QR code',
  message: 'Payment link',
  crypto: 'Crypto',
  code: 'One-time code',
  none: 'Instant',
};

const groups = Object.keys(experienceNames) as Experience[];

const methodChoices = [...methods]
  .sort(
    (one, other) => groups.indexOf(one.experience) - groups.indexOf(other.experience) || one.id.localeCompare(other.id),
  )
  .map(({ id, name, experience }) => ({ value: id, label: name, group: experienceNames[experience] }));

const credentials = Object.fromEntries(
  methods.flatMap(({ id }) => {
    const fields = credentialFields(id);
    return fields.length > 0 ? [[id, fields]] : [];
  }),
);

const currencyChoices = Object.entries(currencies).map(([value, { name }]) => ({ value, label: name }));

const operationNames: Readonly<Record<(typeof midOperations)[number], string>> = {
  purchase: 'Purchases',
  debit: 'Debits',
  credit: 'Payouts',
  transfer: 'Transfers',
  recurring: 'Subsequent recurring charges',
};

/** The choices of this deployment; the merchants are those that the user sees. */
export async function midChoices(scope: string | null) {
  return {
    sandbox: env.appEnv === 'sandbox',
    connectors: namedOptions(connectorNames()),
    methods: methodChoices,
    credentials,
    currencies: currencyChoices,
    operations: midOperations.map((value) => ({ value, label: operationNames[value] })),
    cardSets: cardSetIds.map((value) => ({ value, label: value })),
    merchants: await merchantChoices(scope),
  };
}
