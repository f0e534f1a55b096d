// Compares the catalogue with the contract: the identifiers of the contract's tables and lists are repeated here.
import { describe, expect, it } from 'vitest';
import { details } from './catalog/details.ts';
import { group } from './catalog/lines.ts';
import { experienceOf, findMethod, methods } from './catalog.ts';
import type { Method } from './method.ts';
import { checkMethodParameters, parametersToCollect } from './parameters.ts';

/** The words of a text, each with the prefix of its family. */
const words = (text: string, prefix = '') =>
  text
    .trim()
    .split(/[\s,]+/)
    .map((word) => prefix + word);

// Behaviour by method, group by group.
const behaviours: { [experience: string]: string[] } = {
  redirect: words(`
    astropay, bpwallet, cardpaymentz, cnfmo, dcp, dl, dlocal, doku-hpp, gigadat, instant-bills-pay, kashahpp, katarun,
    kotani-card, kotani-paybybank, kunnect, mcpayhpp, next-level-finance, nuvvex, num-applepay, num-googlepay, nv-apm,
    pagsmile, papara, payablhpp, payftr-in, ptbs, ptn-inapp, stripe-js, swifipay-deposit, sz-in-imps, sz-in-paytm,
    sz-jp-p2p, sz-kr-p2p, sz-my-ob, sz-th-ob, sz-th-qr, sz-vn-ob, sz-vn-p2p, trustgate, txn, txn-f, unipayment,
    vouchstar, xswitfly, yapily`),
  app: words('upi-2, upi-4'),
  confirm: [
    ...words('fawry, jvz, nimbbl, paydefi, phone-pe, billplz, payok-upi, pyk-pix, pyk-upi, pyk-iban'),
    ...words('ted, cash, bank-transfer, bank-slip, picpay, pix', 'xprowirelatam-'),
    ...words('moov-money mtn-mobile-money moov-togo togocom'),
  ],
  details: words('panapay-netbanking, panapay-upi, sofortuber, webpaygate, winnerpay'),
  qr: words('mcpayment, mpesa, payok-promptpay, pyk-promptpay, pix, ips'),
  message: words('ptn-email ptn-sms'),
  crypto: words('crypto-btg, awcc'),
};

// Methods with extra fields on the payment page, and the decided step after them.
const extraFields: { [experience: string]: string[] } = {
  details: words('axxi-cash'),
  redirect: words('axxi-transfer vpayapp_upi fairpay'),
  confirm: words('om-wallet one-collection kora'),
  none: words('axxi-pin'),
  code: words('dpbanktransfer beeline'),
};

const notShown = words(`
  araka, afsbenefit, airtel, a2a_transfer, bitolo-inr, bitolo-brl, bitolo-zar, blik, bts-ars, bts-mxn, capitec
  citizen flttrwv-capitec, coinspaid, cup-on, cybersource, e-xezine, fxmb-india, fxmb-netbanking, interac intc-sdp,
  ipasspay, mtn-momo, naps, netbanking-upi, paypal, paytota, stcpay, unipay, vcard, vp-wallet, zeropay, zen-payin`);

const numbers = ['0007', '0008'];
for (let number = 10; number <= 60; number += 1) numbers.push(`00${number}`);

const families = [
  ...words(
    `alipay, bitpay, dragonpay, fpx, ideal, klarna, przelewy24, safetypay, skrill, sofort, trustly, unionpay, wechat5,
     wechatonline`,
    'ppro-',
  ),
  ...words('cash, creditcard, cryptocurrency, online', 'pr-'),
  ...words(
    `bpix, korea_bank_transfer, open_banking_faster, open_banking_sepa, opp, opp_77, p2c, p2c_2, paytm, pix,
     pp_bancontact, pp_blik_pln, pp_eps, pp_eur, pp_giropay, pp_mybank, pp_przelewy24_pln, pp_trustly, pp_usd, upi,
     upi_2, upi_3`,
    'ptw-',
  ),
  ...numbers.map((number) => `ptw-PW_${number}`),
  ...words(
    `qris, ovo, dana, va, duitnow, fpx, bank-transfer, momo, qrph, gcash, maya, promptpay, bkash, nagad, rocket, upay,
     upi, idr-payout, myr-payout, vnd-payout, php-payout, thb-payout, bdt-payout, inr-payout`,
    'transact365-',
  ),
  ...words('guatemala, honduras, panama, colombia, costarica, ecuador, dominicana, peru, chile, mexico', 'paycash-'),
  ...words('bkmexpress, momo, nequipush, paparawallet, promptpay, truemoney, pix, upi, iban', 'pyk-'),
  ...words('in-imps in-paytm jp-p2p kr-p2p my-ob th-ob th-qr vn-ob vn-p2p in-upi', 'sz-'),
  ...words('allpay-api, allpay-email, allpay-payout'),
];

// The first column of the parameters' table; family rows are expanded above.
const withParameters = words(`
  awcc billplz dl, dlocal pagsmile papara doku-hpp kunnect m2p-debit m2p-withdrawal next-level-finance payok-upi, pyk-upi,
  pyk-momo, pyk-nequipush, pyk-pix, pyk-iban pyk-bkmexpress, pyk-paparawallet, pyk-promptpay, pyk-truemoney
  paythrough-upi sz-in-upi tabby tamara ptn-email, ptn-sms yapily yo-uganda-limited bts-ars bts-mxn swifipay-withdrawal
  smlpz-out-peru allpay-payout aircash-deposit num-applepay, num-googlepay trans kora paytota`);

// Checkout's terminology (callbacks and return addresses): the card, and the wallets.
const others = words('card applepay googlepay');

const contract = [
  ...Object.values(behaviours).flat(),
  ...Object.values(extraFields).flat(),
  ...notShown,
  ...families,
  ...withParameters,
  ...others,
];

describe('the catalogue', () => {
  it('has every identifier of the contract and no other', () => {
    const wanted = [...new Set(contract)].sort();
    expect(methods.map(({ id }) => id).sort()).toEqual(wanted);
    console.info(`${wanted.length} identifiers of methods in the contract, ${methods.length} in the catalogue`);
  });

  it.each(Object.entries(behaviours))('has the experience of the contract: %s', (experience, ids) => {
    expect(ids.map((id) => `${id} ${findMethod(id)?.experience}`)).toEqual(ids.map((id) => `${id} ${experience}`));
    expect(ids.filter((id) => findMethod(id)?.decided)).toEqual([]);
  });

  it.each(Object.entries(extraFields))('has a decided step after further fields: %s', (experience, ids) => {
    expect(ids.map((id) => `${id} ${findMethod(id)?.experience}`)).toEqual(ids.map((id) => `${id} ${experience}`));
  });

  it('marks experiences outside the contract as decided', () => {
    const seen = new Set([...Object.values(behaviours).flat(), ...Object.values(extraFields).flat(), 'card']);
    const wanted = [...new Set(contract)].filter((id) => !seen.has(id)).sort();
    expect(
      methods
        .filter(({ decided }) => decided)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(wanted);
  });

  it('gives parameters or settings to every method of the contract’s table', () => {
    const bare = withParameters.filter((id) => {
      const { parameters, payout, credentials, adds, fields } = findMethod(id) as Method;
      return [parameters, payout, credentials, adds, fields].every((each) => each === undefined);
    });
    expect(bare).toEqual([]);
  });

  it('has details for methods only', () => {
    expect(Object.keys(details).filter((id) => !findMethod(id))).toEqual([]);
  });

  it('shows data instead of a redirect for axxi-transfer in Mexico', () => {
    const method = findMethod('axxi-transfer') as Method;
    expect(['MX', 'CO', undefined].map((country) => experienceOf(method, country))).toEqual([
      'details',
      'redirect',
      'redirect',
    ]);
  });

  it('has case-sensitive identifiers', () => {
    expect(findMethod('Papara')).toBeUndefined();
    expect(findMethod('ptw-pw_0007')).toBeUndefined();
    expect(findMethod('constructor')).toBeUndefined();
  });
});

// field | methods
const places = `
  EUR RSD BAM MKD | ips
  IN              | payok-upi pyk-upi
  VN              | pyk-momo
  CO              | pyk-nequipush
  BR              | pyk-pix
  TR              | pyk-iban pyk-bkmexpress pyk-paparawallet
  TH              | pyk-promptpay pyk-truemoney
  BJ              | moov-money mtn-mobile-money
  TG              | moov-togo togocom`;

describe('a row', () => {
  const rows = places
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().split(' ')));
  it.each(rows)('has the currencies and countries of the contract: %s', (wanted, ids) => {
    for (const id of ids) {
      const { currencies, countries, inferred } = findMethod(id) as Method;
      expect((wanted[0]?.length === 3 ? currencies : countries) ?? []).toEqual(wanted);
      expect(inferred === true).toBe(wanted[0]?.length === 2);
    }
  });

  it.each(methods.map((method) => [method.id, method] as const))('%s can be used', (_id, method) => {
    expect(method.name.trim()).not.toBe('');
    expect(method.operations.length).toBeGreaterThan(0);
    expect(method.experience === 'qr').toBe(method.qr !== undefined && method.experience !== 'app');
    const isPayout = method.operations.every((operation) => operation === 'credit');
    expect(method.experience === 'none' || !isPayout).toBe(true);
    expect(method.actions.includes('SALE')).toBe(!isPayout && !/^(card|applepay|googlepay)$/.test(method.id));
  });

  it('is sufficient for a plain method', () => {
    const [added] = group({ experience: 'redirect' }, 'newpay | NewPay | wallet | EUR');
    const catalogue = [...methods, added as Method];
    const method = catalogue.find(({ id }) => id === 'newpay') as Method;
    expect(method).toEqual({
      id: 'newpay',
      name: 'NewPay',
      kind: 'wallet',
      experience: 'redirect',
      operations: ['purchase', 'debit'],
      actions: ['SALE', 'DEBIT2VIRTUAL'],
      currencies: ['EUR'],
      inferred: true,
    });
    expect(parametersToCollect(method, {})).toEqual([]);
    const options = { path: 'parameters.newpay', demandCollected: true };
    expect(checkMethodParameters(method, { own: '1' }, options)).toEqual({ values: { own: '1' }, faults: [] });
  });

  it('is rejected if it is incomplete', () => {
    expect(() => group({ experience: 'redirect' }, 'newpay | NewPay')).toThrow('no method: newpay | NewPay');
  });
});
