/**
 * Details of methods beyond their line in the catalogue: parameters (interface.md, Method-specific parameters; fields
 * that the contract only describes have names chosen here), settings of the MID, requirements on the payer's fields,
 * remarks. lib/methods/method.ts defines the notation.
 */
import type { Method } from '../method.ts';
import { payoutParameters } from './mobile-operators.ts';

type Details = Partial<Omit<Method, 'id'>>;

const schemes =
  'SORT_CODE ACCOUNT_NUMBER IBAN BBAN BIC PAN MASKED_PAN MSISDN BSB NCC ABA ABA_WIRE ABA_ACH ROLL_NUMBER BLZ IFS CLABE ' +
  'CTN BRANCH_CODE VIRTUAL_ACCOUNT_ID';

// A document number in the format of the payer's country; free text elsewhere.
const documents = `
  document_number | cpf-or-cnpj | C | BR
  document_number | text 40     | C | not BR`;

const security = 'SecurityQuestion | text 255 | O\nSecurityQuestionAnswer | answer 3 25 | O';
const account = `
  orgCode       | text 64 | C
  accountName   | text 64 | C
  accountNumber | text 64 | C`;

const paysBothWays = {
  operations: ['purchase', 'debit', 'credit'],
  actions: ['SALE', 'DEBIT2VIRTUAL', 'CREDIT2VIRTUAL'],
} as const;

// Identifiers with the same details are listed together, separated by blanks.
const table: { [ids: string]: Details } = {
  card: { operations: ['purchase', 'debit', 'credit', 'transfer'], actions: [] },

  // Coins.
  awcc: {
    parameters: `
      crypto_type  | coin         | R
      network_type | one eth tron | O
      bech32       | boolean      | O
      accountId    | text 255     | O`,
    defaults: { bech32: 'false' },
    note: 'network_type applies to USDT only; the default is eth.',
  },
  'crypto-btg': { note: 'The amount is not fixed: the payment is the amount that arrives at the address.' },
  kunnect: {
    parameters: 'cryptoCurrency | coin | R',
    note: 'The contract also lists it with the coins; the address is shown on the page to which the payer is redirected.',
  },
  'm2p-debit': {
    parameters: `
      paymentGatewayName  | text 255 | R
      paymentCurrency     | coin     | R
      tradingAccountLogin | text 255 | O`,
  },
  'm2p-withdrawal': {
    actions: ['CREDIT2VIRTUAL', 'CREDIT2CRYPTO'],
    parameters: `
      withdrawCurrency    | coin     | R
      address             | text 255 | R
      tradingAccountLogin | text 255 | O`,
  },
  'next-level-finance': { parameters: 'toCurrency | coin | R' },

  // Latin America.
  'dl dlocal': { parameters: documents },
  pagsmile: {
    parameters: `
      document_type   | text 40     | C | not GT PA CR BR
      document_type   | one CPF CNPJ | C | BR
      document_number | cpf-or-cnpj | C | BR
      document_number | text 40     | C | not GT PA CR BR`,
  },
  pix: { parameters: 'document_number | cpf-or-cnpj | C' },
  'axxi-cash': { parameters: 'document_number | text 40 | C' },
  'axxi-transfer': {
    experienceIn: { MX: 'details' },
    parameters: `
      bank            | one bancolombia banco-de-bogota davivienda bbva nequi daviplata | C | CO
      bank            | text 64                | C | not CO MX
      person_type     | one natural legal      | C | not MX
      document_type   | one CC CE NIT TI PP    | C | CO
      document_type   | text 40                | C | not CO MX
      document_number | text 40                | C | not MX`,
    note: `In Mexico no parameters are collected; the payer is shown the account for the transfer.`,
  },
  'axxi-pin': { parameters: 'pin | pin 6 32 | C' },
  fairpay: {
    parameters: `
      personal_id   | cpf               | C | BR
      personal_id   | rut               | C | CL
      document_type | one CC CE NIT TI PP | C | CO
      personal_id   | text 20           | C | CO`,
  },
  'bts-ars': { parameters: 'bank_cuil | cuil | C' },
  'bts-mxn': { parameters: 'bank_curp | curp | C' },
  'smlpz-out-peru': {
    parameters: `
      paymentMethod   | text 6                | R
      cashAccount     | alnum 1 32            | R
      cashAccountType | one CORRIENTE AHORROS | R
      cci             | alnum 20 20           | R
      name            | text 255              | R
      email           | email                 | R
      phone           | phone 32              | R
      idType          | one DNI CE PAS RUC    | R
      identity        | text 20               | R`,
    note: 'identity: DNI 8 digits, RUC 11, CE and PAS up to 12 letters and digits.',
  },
  'paycash-guatemala paycash-honduras paycash-panama paycash-colombia paycash-costarica paycash-ecuador paycash-dominicana paycash-peru paycash-chile paycash-mexico':
    {
      credentials: `
      private_key | secret | R | key for requesting a token
      gateway_id  | plain  | O | gateway, if the provider returns none with the reference | text 255`,
      note: 'A token and a reference are requested before the payment.',
    },

  // Asia.
  'payok-upi pyk-upi': { parameters: 'personal_id | text 40 | C' },
  'pyk-momo pyk-nequipush': { parameters: 'personal_id | text 40 | C' },
  'pyk-pix': { parameters: 'personal_id | cpf-or-cnpj | C' },
  'pyk-iban': { parameters: 'personal_id | tckn | C' },
  'pyk-bkmexpress pyk-paparawallet pyk-promptpay pyk-truemoney': {
    parameters: account,
    note: 'accountName must be the real name of the payer.',
  },
  'paythrough-upi': { parameters: 'upi_id | upi | R' },
  'sz-in-upi': { parameters: 'upiAddress | upi | R' },
  vpayapp_upi: { parameters: 'upi_id | upi | C' },
  billplz: {
    parameters: `
      bank_code           | swift    | R
      bank_account_number | alnum 1 34 | R`,
  },
  'doku-hpp': {
    parameters: `
      product_reference_id | text 64  | A
      product_name         | text 255 | A
      product_quantity     | digits 4 | A
      product_sku          | text 255 | A
      product_category     | text 255 | A
      product_url          | url      | A
      product_image_url    | url      | A
      product_type         | text 255 | A`,
    note: 'Only certain wallets and instalments need them, so none is required.',
  },
  'one-collection': {
    parameters: `
      bank_name      | text 64    | C
      bank_code      | text 20    | C
      branch_name    | text 64    | C
      branch_code    | text 20    | C
      account_number | alnum 1 34 | C`,
  },
  dpbanktransfer: {
    parameters: `
      beneficiary_name    | text 64             | C
      beneficiary_account | alnum 1 34          | C
      account_type        | one current savings | C`,
    note: `The bank's confirmation code is requested afterwards.`,
  },
  'swifipay-withdrawal': {
    parameters: `
      ToAccountNumber | alnum 1 34 | C
      ToAccountName   | text 64    | C
      ToProvince      | text 64    | C
      ToCity          | text 64    | C
      ToBranch        | text 64    | C
      ToAddress       | text 255   | C
      Email           | email      | C
      Phone           | phone 32   | C`,
  },

  // Europe, the Middle East.
  papara: { parameters: 'memberId | text 64 | C' },
  yapily: {
    parameters: `
      payee_name                             | text 255      | R
      payee_country                          | country       | R
      payee_identifications[].type           | one ${schemes} | R
      payee_identifications[].identification | text 255      | R`,
  },
  tabby: {
    parameters: `
      category               | text 255 | R
      buyer_registered_since | datetime | R
      buyer_loyalty_level    | digits 9 | R`,
    defaults: { buyer_loyalty_level: '0' },
  },
  tamara: {
    parameters: `
      shipping_amount      | money 13 3 | R
      tax_amount           | money 13 3 | R
      product_reference_id | text 255   | R
      product_type         | text 255   | R
      product_sku          | text 255   | R
      product_amount       | money 13 3 | R`,
  },
  'aircash-deposit': {
    credentials: 'partner_ids | plain | R | the partner id of each currency: EUR=... RON=... | by-currency',
    adds: { pay_type: '0', pay_method: '2' },
    note: "The payer's name and date of birth must match those at Aircash.",
  },
  interac: { note: 'Formerly intc-sdp.' },
  'intc-sdp': { note: 'The former name of interac.' },
  capitec: { note: 'On the wire its values are citizen and flttrwv-capitec; all three identifiers are accepted.' },
  citizen: { note: 'Also a value of capitec.' },
  'flttrwv-capitec': { note: 'A value of capitec.' },

  // Africa.
  'moov-money mtn-mobile-money': { fields: 'payer_phone | msisdn BJ | R', note: 'Numbers of Benin (+229).' },
  'moov-togo togocom': { fields: 'payer_phone | msisdn TG | R', note: 'Numbers of Togo (+228).' },
  'om-wallet': { fields: 'payer_phone | msisdn | R', note: 'The number in the international format.' },
  paytota: { fields: 'payer_phone | msisdn | R', note: 'The phone number identifies the payer.' },
  kora: {
    ...paysBothWays,
    payout: payoutParameters,
    credentials: 'fee_bearer | plain | O | who pays the fee: customer (default) or merchant | one customer merchant',
    note: 'Each operator of payouts has a minimum and a maximum amount.',
  },
  'yo-uganda-limited': {
    parameters: `
      AccountProviderCode   | text 64      | O
      NarrativeFileName     | text 255     | O
      NarrativeFileBase64   | base64       | O
      ProviderReferenceText | text 255     | O`,
    note: 'NarrativeFileBase64 is ignored without NarrativeFileName.',
  },

  // Messages, telephones, wallets.
  'ptn-email ptn-sms': { parameters: security },
  'allpay-payout': {
    parameters: `
      SecurityQuestion       | between 10 40 | R
      SecurityQuestionAnswer | between 3 40  | R`,
    fields: `
      payer_first_name  | text 60       | R
      payer_last_name   | text 60       | R
      payee_first_name  | text 60       | R
      payee_last_name   | text 60       | R
      payer_email       | between 2 60  | R
      order_description | between 5 200 | R`,
    credentials: `
      account_uuid           | plain | R | account that pays                            | text 255
      fee_calculation_method | plain | O | account_level (default) or transaction_level | one account_level transaction_level`,
  },
  beeline: { parameters: 'payee_phone | msisdn | A', note: `payee_phone is the recipient of the money.` },
  trans: {
    credentials: `
      X-API-Key    | secret | R | sent as a header | header 1024
      X-API-Secret | secret | R | sent as a header | header 1024`,
  },
  'num-applepay': {
    adds: { payment_type: 'APPLEPAY' },
    note: 'The wallet provides the card; no card data are collected here.',
  },
  'num-googlepay': {
    adds: { payment_type: 'GOOGLEPAY' },
    note: 'The wallet provides the card; no card data are collected here.',
  },
  'applepay googlepay': {
    actions: [],
    note: 'S2S CARD accepts it as digital_wallet; the page redirects the payer to the wallet.',
  },
  vcard: { ...paysBothWays, note: 'For tests: success@gmail.com settles, fail@gmail.com is declined.' },
};

function byId(): { [id: string]: Details } {
  const result: { [id: string]: Details } = {};
  for (const [ids, own] of Object.entries(table)) {
    for (const id of ids.split(' ')) {
      if (result[id]) throw new Error(`${id} has details twice`);
      result[id] = own;
    }
  }
  return result;
}

/** By identifier. */
export const details: { readonly [id: string]: Details } = byId();
