/**
 * The card method's parameter sets (interface.md, Payment method catalog). Which sets a MID
 * requires is a capability of the MID, because it depends on its provider; but a field of a known set must have the
 * set's format, independent of the MID.
 */
import { noAccount } from './formats.ts';
import { type CheckedParameters, checkParameters, type ParameterTree, readTable, treeOf } from './parameter-table.ts';

/** The operations of card payments, named as in the money tables. */
export type CardOperation = 'purchase' | 'debit' | 'transfer' | 'credit';
export type ParameterProtocol = 'checkout' | 's2s';

/** Every set, by the contract's name. */
export const cardSetIds = ['BNG', 'FCP', 'LBP', 'TWD', 'APC', 'ERS', 'PRC', 'PWD', 'NSP'] as const;
export type CardSetId = (typeof cardSetIds)[number];

type CardSet = { id: CardSetId; operations: readonly CardOperation[]; fields: string };

// A debit and a transfer have the fields of a sale (interface.md, S2S CARD: "as SALE", "SALE fields plus").
const charges = ['purchase', 'debit', 'transfer'] as const;

// names | format | R required, C conditional on the provider, O optional | format on S2S if different, - if absent
const sets: readonly CardSet[] = [
  {
    id: 'BNG',
    operations: charges,
    // The deferral is a number of months, two of which the contract names; the plan is one of three.
    fields: `
      bnrg_installm_def    | exactly 2    | R
      bnrg_installm_months | exactly 2    | R
      bnrg_installm_plan   | one 03 05 07 | R`,
  },
  {
    id: 'FCP',
    operations: charges,
    fields: `
      document_type   | one cpf  | R
      document_number | text 255 | R
      social_name     | text 255 | R
      fiscal_country  | country  | R
      toBankAccountId | uuid     | O`,
  },
  { id: 'LBP', operations: charges, fields: 'descriptor | text 20 | O' },
  {
    id: 'TWD',
    operations: charges,
    fields: `
      customer_phone customer_telnocc shipping_street1 shipping_city shipping_state | text 255 | O
      shipping_postcode | digits 9  | O
      shipping_country  | exactly 3 | O`,
  },
  {
    id: 'APC',
    operations: charges,
    fields: `
      shipping.street1              | text 100            | C
      shipping.street2              | text 100            | C
      shipping.houseNumber1         | text 100            | O
      shipping.houseNumber2         | text 100            | O
      shipping.city                 | text 80             | C
      shipping.state                | text 50             | C
      shipping.postcode             | text 16             | C
      shipping.country              | country             | C
      shipping.method               | text 30             | C
      shipping.cost                 | decimal 13          | C | decimal 16
      shipping.comment              | text 160            | C
      shipping.expectedDate         | text 10             | O
      shipping.logisticsProvider    | text 255            | O
      shipping.trackingNumber       | text 255            | O
      shipping.returnTrackingNumber | text 255            | O | -
      shipping.normalized           | text 255            | O
      shipping.validationStatus     | text 255            | O
      shipping.warehouse            | text 100            | O
      shipping.preference           | text 21             | O
      shipping.middleName           | text 255            | O | text 50
      shipping.companyName          | text 60             | O
      shipping.phone                | text 25             | O
      shipping.workPhone            | text 25             | O
      shipping.mobile               | text 25             | O
      shipping.email                | text 128            | O
      shipping.type                 | one return shipment | O

      cart.items[].name                    | text 255             | C
      cart.items[].merchantItemId          | text 255             | C
      cart.items[].quantity                | digits 5             | C
      cart.items[].type                    | text 255             | C
      cart.items[].sku                     | text 255             | O
      cart.items[].currency                | currency             | C
      cart.items[].description             | text 2048            | C
      cart.items[].commodityCode           | digits 8             | O
      cart.items[].commodityDescription    | text 50              | O
      cart.items[].originalPrice           | text 255             | O
      cart.items[].price                   | decimal 13           | C
      cart.items[].totalAmount             | decimal 13           | C
      cart.items[].taxAmount               | decimal 13           | C
      cart.items[].totalTaxAmount          | decimal 13           | C
      cart.items[].tax                     | text 6               | C | text 13
      cart.items[].taxCategory             | text 2               | C | text 13
      cart.items[].shipping                | money 10 2           | C | decimal 12
      cart.items[].discount                | decimal 13           | C
      cart.items[].giftMessage             | text 255             | O
      cart.items[].shippingMethod          | text 255             | O
      cart.items[].shippingInstructions    | text 255             | O
      cart.items[].shippingTrackingNumber  | text 255             | O
      cart.items[].quantityUnit            | one M CM KG G COUNT  | O
      cart.items[].productUrl              | url                  | O
      cart.items[].imageUrl                | url                  | O
      cart.items[].totalDiscountAmount     | money 10 2           | O
      cart.items[].productCode             | text 30              | O
      cart.items[].partNumber              | text 30              | O
      cart.items[].itemNumber              | digits 3             | O
      cart.items[].vatReferenceNumber      | text 30              | O
      cart.items[].sellerId                | text 255             | O
      cart.items[].deliveryDate            | text 10              | O
      cart.items[].recipient.salutation    | text 5               | O
      cart.items[].recipient.firstName     | text 48              | O
      cart.items[].recipient.middleName    | text 50              | O
      cart.items[].recipient.lastName      | text 48              | O
      cart.items[].recipient.apartment     | text 100             | O
      cart.items[].recipient.street        | text 100             | O
      cart.items[].recipient.address       | text 100             | O
      cart.items[].recipient.city          | text 80              | O
      cart.items[].recipient.state         | text 50              | O
      cart.items[].recipient.postcode      | text 16              | O
      cart.items[].recipient.country       | country-or-digits    | O | text 5
      cart.items[].recipient.phone         | phone 25             | O
      cart.items[].recipient.email         | text 128             | O

      cart.payments[].name     | text 255                        | O
      cart.payments[].type     | one GIFTCARD PROMOTION          | O
      cart.payments[].amount   | money 10 2                      | O
      cart.payments[].currency | currency                        | O
      cart.payments[].status   | one pending authorized captured | O
      cart.payments[].brand    | text 255                        | O
      cart.payments[].primary  | boolean                         | O

      marketPlace.sellers[].id     | text 255   | O
      marketPlace.sellers[].amount | decimal 13 | O`,
  },
  {
    id: 'ERS',
    operations: ['debit'],
    fields: `
      payer_identity_type payer_identity_id payer_identity_country payer_identity_exp_date | text 255 | O
      payer_nationality payer_country_of_birth payee_first_name payee_last_name payee_middle_name | text 255 | O
      payee_address payee_city payee_state payee_country payee_zip payee_phone payee_birth_date | text 255 | O
      payee_identity_type payee_identity_id payee_identity_country payee_identity_exp_date | text 255 | O
      payee_nationality payee_country_of_birth | text 255 | O`,
  },
  {
    id: 'PRC',
    operations: ['transfer'],
    fields: `
      payer_identity_type | one 1 2 3 4 5 6 7 8 | O
      payer_identity_id   | text 255            | O
      payer_type          | one 0 1 2 3         | O`,
  },
  {
    id: 'ERS',
    operations: ['credit'],
    fields: `
      payer_account_number    | account  | R
      payer_identity_type payer_identity_id payer_identity_country payer_identity_exp_date | text 255 | O
      payer_nationality payer_country_of_birth payee_identity_type payee_identity_id | text 255 | O
      payee_identity_country payee_identity_exp_date payee_nationality payee_country_of_birth | text 255 | O`,
  },
  {
    id: 'PWD',
    operations: ['credit'],
    fields: `
      card_exp_month | month | R
      card_exp_year  | year  | R`,
  },
  { id: 'NSP', operations: ['credit'], fields: 'expiry | expiry | R' },
];

/** Values that must not be stored, logged or shown in clear, because they may be card numbers. */
const secretNames = ['payer_account_number'];

/** A field of a set with the operations that it applies to. */
export type CardSetLine = {
  set: CardSetId;
  operations: readonly CardOperation[];
  name: string;
  format: string;
  need: string;
};

/** Every field of every set with the formats of a protocol, for the API documents. */
export function cardSetLines(protocol: ParameterProtocol): CardSetLine[] {
  return sets.flatMap(({ id, operations, fields }) =>
    readTable(id, fields, protocol === 's2s' ? 1 : 0).map(({ path, format, need }) => ({
      set: id,
      operations,
      name: path.join('.').replaceAll('.[]', '[]'),
      format,
      need,
    })),
  );
}

/** The sets that a MID's capabilities require: `{ "cardSets": ["BNG"] }` (mids.capabilities). */
export function requiredCardSets(capabilities: unknown): CardSetId[] {
  const { cardSets } = (typeof capabilities === 'object' && capabilities !== null ? capabilities : {}) as {
    cardSets?: unknown;
  };
  return Array.isArray(cardSets) ? cardSetIds.filter((id) => cardSets.includes(id)) : [];
}

/** The sets of which these parameters lack required fields: MIDs that require one of them cannot carry the payment. */
export function missingCardSets(input: unknown, operation: CardOperation, protocol: ParameterProtocol): CardSetId[] {
  const tree = treeFor(operation, protocol);
  const errorCountWith = (demanded: readonly CardSetId[]) =>
    checkParameters(tree, input, { path: '', demanded }).errors.length;
  const formatErrors = errorCountWith([]);
  return cardSetIds.filter((id) => errorCountWith([id]) > formatErrors);
}

export type CardParametersOptions = {
  operation: CardOperation;
  protocol: ParameterProtocol;
  /** The prefix of the errors' paths: `parameters.card` on Checkout, `parameters` on S2S CARD. */
  path: string;
  /** The sets whose required fields must be present; none while the MID is unknown. */
  demanded?: readonly CardSetId[];
};

/** `secret` contains the values that were removed from `values` because they must not be stored in clear. */
export type CheckedCardParameters = CheckedParameters & { secret: { [name: string]: string } };

/**
 * Checks the card method's parameters (`parameters.card` on Checkout, `parameters` on S2S CARD) and returns the values
 * for the provider: known fields validated and normalised, unknown ones unchanged. Dotted names (`shipping.street1`,
 * `cart.items[0].name`) and nested ones (`shipping[street1]`) are equivalent.
 */
export function checkCardParameters(
  input: unknown,
  { operation, protocol, path, demanded }: CardParametersOptions,
): CheckedCardParameters {
  const { values, errors } = checkParameters(treeFor(operation, protocol), input, { path, demanded });
  const secret: { [name: string]: string } = {};
  for (const name of secretNames) {
    const value = values[name];
    if (typeof value !== 'string' || value === noAccount) continue;
    secret[name] = value;
    delete values[name];
  }
  if (protocol === 's2s' && errors.length === 0) setDefaultUnit(values);
  return { values, errors, secret };
}

const trees = new Map<string, ParameterTree>();

function treeFor(operation: CardOperation, protocol: ParameterProtocol): ParameterTree {
  const key = `${operation} ${protocol}`;
  const cached = trees.get(key);
  if (cached) return cached;
  const applying = sets.filter((set) => set.operations.includes(operation));
  const column = protocol === 's2s' ? 1 : 0;
  const tree = treeOf(applying.flatMap(({ id, fields }) => readTable(id, fields, column)));
  trees.set(key, tree);
  return tree;
}

// interface.md, cart items: on S2S the default unit of an item is pieces. A cart is checked for some operations only.
function setDefaultUnit(values: Record<string, unknown>): void {
  const { items } = (values.cart ?? {}) as { items?: unknown };
  if (!Array.isArray(items)) return;
  for (const item of items as Record<string, unknown>[]) item.quantityUnit ??= 'COUNT';
}
