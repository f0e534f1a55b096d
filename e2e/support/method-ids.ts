// The identifiers of the contract's method tables, lists and families (interface.md, Payment method catalog), copied
// from the contract. Tests compare the catalogue with them.

const words = (text: string, prefix = '') =>
  text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => prefix + word);

const behaviour = words(`
  astropay, bpwallet, cardpaymentz, cnfmo, dcp, dl, dlocal, doku-hpp, gigadat, instant-bills-pay, kashahpp, katarun,
  kotani-card, kotani-paybybank, kunnect, mcpayhpp, next-level-finance, nuvvex, num-applepay, num-googlepay, nv-apm,
  pagsmile, papara, payablhpp, payftr-in, ptbs, ptn-inapp, stripe-js, swifipay-deposit, sz-in-imps, sz-in-paytm,
  sz-jp-p2p, sz-kr-p2p, sz-my-ob, sz-th-ob, sz-th-qr, sz-vn-ob, sz-vn-p2p, trustgate, txn, txn-f, unipayment,
  vouchstar, xswitfly, yapily
  upi-2, upi-4
  fawry, jvz, nimbbl, paydefi, phone-pe, billplz, payok-upi, pyk-pix, pyk-upi, pyk-iban, moov-money, mtn-mobile-money,
  moov-togo, togocom
  panapay-netbanking, panapay-upi, sofortuber, webpaygate, winnerpay
  mcpayment, mpesa, payok-promptpay, pyk-promptpay, pix, ips
  axxi-cash, axxi-transfer, axxi-pin, om-wallet, one-collection, dpbanktransfer, vpayapp_upi, fairpay, kora, beeline
  ptn-email, ptn-sms
  crypto-btg, awcc, kunnect`);

const notShown = words(`
  araka, afsbenefit, airtel, a2a_transfer, bitolo-inr, bitolo-brl, bitolo-zar, blik, bts-ars, bts-mxn, capitec,
  flttrwv-capitec, citizen, coinspaid, cup-on, cybersource, e-xezine, fxmb-india, fxmb-netbanking, interac, intc-sdp,
  ipasspay, mtn-momo, naps, netbanking-upi, paypal, paytota, stcpay, unipay, vcard, vp-wallet, zeropay, zen-payin`);

/** PW_0007, PW_0008 and PW_0010 through PW_0060. */
const numbered = [7, 8, ...Array.from({ length: 51 }, (_, place) => place + 10)].map(
  (number) => `ptw-PW_${String(number).padStart(4, '0')}`,
);

const families = [
  ...words('ted cash bank-transfer bank-slip picpay pix', 'xprowirelatam-'),
  ...words(
    `alipay bitpay dragonpay fpx ideal klarna przelewy24 safetypay skrill sofort trustly unionpay wechat5 wechatonline`,
    'ppro-',
  ),
  ...words('cash creditcard cryptocurrency online', 'pr-'),
  ...words(
    `bpix korea_bank_transfer open_banking_faster open_banking_sepa opp opp_77 p2c p2c_2 paytm pix pp_bancontact
     pp_blik_pln pp_eps pp_eur pp_giropay pp_mybank pp_przelewy24_pln pp_trustly pp_usd upi upi_2 upi_3`,
    'ptw-',
  ),
  ...numbered,
  ...words(
    `qris ovo dana va duitnow fpx bank-transfer momo qrph gcash maya promptpay bkash nagad rocket upay upi
     idr-payout myr-payout vnd-payout php-payout thb-payout bdt-payout inr-payout`,
    'transact365-',
  ),
  ...words('guatemala honduras panama colombia costarica ecuador dominicana peru chile mexico', 'paycash-'),
  ...words('bkmexpress momo nequipush paparawallet promptpay truemoney pix upi iban', 'pyk-'),
  ...words('in-imps in-paytm jp-p2p kr-p2p my-ob th-ob th-qr vn-ob vn-p2p in-upi', 'sz-'),
  ...words('allpay-api allpay-email allpay-payout'),
];

/** The first column of the parameters' table, without the methods of the other lists. */
const withParameters = words(`
  m2p-debit m2p-withdrawal paythrough-upi tabby tamara yo-uganda-limited swifipay-withdrawal smlpz-out-peru
  aircash-deposit trans`);

/** Wallets other than card wallets, by their Checkout names. */
const wallets = words('applepay googlepay');

/** Every identifier once. */
export const contractIds: string[] = [
  ...new Set(['card', ...behaviour, ...notShown, ...families, ...withParameters, ...wallets]),
];
