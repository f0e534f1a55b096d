/**
 * The catalogue of payment methods: every identifier of the contract (interface.md, Payment method catalog) with the
 * payer's experience. The protocols, the payment page, the sandbox provider and the documentation read it. A plain
 * method is one line; catalog/details.ts contains the details of the others.
 */
import { details } from './catalog/details';
import { group, payoutOnly } from './catalog/rows';
import type { Experience, Method } from './method';

const none: readonly never[] = [];

// The contract shows the payer's experience of these.
const shown: Method[] = [
  ...group(
    { experience: 'card', operations: ['purchase', 'debit', 'credit', 'transfer'], actions: none },
    'card | Card | card',
  ),

  ...group(
    { experience: 'redirect' },
    `
    astropay            | AstroPay            | wallet
    bpwallet            | BP Wallet           | wallet
    cardpaymentz        | CardPaymentz        | card
    cnfmo               | CNFMO               | bank
    dcp                 | DCP                 | bank
    dl                  | dLocal              | bank
    dlocal              | dLocal              | bank
    doku-hpp            | DOKU                | bank   | IDR ID
    gigadat             | Gigadat             | bank   | CAD CA
    instant-bills-pay   | Instant Bills Pay   | bank
    kashahpp            | Kasha               | wallet
    katarun             | Katarun             | bank
    kotani-card         | Kotani Pay Card     | card
    kotani-paybybank    | Kotani Pay by Bank  | bank
    kunnect             | Kunnect             | coin
    mcpayhpp            | MCPay               | card
    next-level-finance  | Next Level Finance  | coin
    nuvvex              | Nuvvex              | bank
    num-applepay        | Apple Pay           | wallet |         | name email address country city zip
    num-googlepay       | Google Pay          | wallet |         | name email address country city zip
    nv-apm              | NV APM              | bank
    pagsmile            | PagSmile            | bank   |         | country
    papara              | Papara              | wallet | TRY TR
    payablhpp           | payabl.             | card
    payftr-in           | PayFuture           | bank   | INR IN
    ptbs                | PTBS                | bank
    ptn-inapp           | PTN In-App          | app
    stripe-js           | Stripe              | card
    swifipay-deposit    | SwifiPay            | bank
    sz-in-imps          | IMPS                | bank   | INR IN
    sz-in-paytm         | Paytm               | wallet | INR IN
    sz-jp-p2p           | P2P Bank Transfer   | bank   | JPY JP
    sz-kr-p2p           | P2P Bank Transfer   | bank   | KRW KR
    sz-my-ob            | Online Banking      | bank   | MYR MY
    sz-th-ob            | Online Banking      | bank   | THB TH
    sz-th-qr            | Thai QR             | code   | THB TH
    sz-vn-ob            | Online Banking      | bank   | VND VN
    sz-vn-p2p           | P2P Bank Transfer   | bank   | VND VN
    trustgate           | Trustgate           | card
    txn                 | TXN                 | bank
    txn-f               | TXN-F               | bank
    unipayment          | UniPayment          | coin
    vouchstar           | Vouchstar           | wallet
    xswitfly            | XSwitfly            | bank
    yapily              | Yapily              | bank`,
  ),

  ...group(
    { experience: 'app', qr: 'upi' },
    `
    upi-2 | UPI | app | INR IN
    upi-4 | UPI | app | INR IN`,
  ),

  ...group(
    { experience: 'confirm' },
    `
    fawry            | Fawry              | app    | EGP EG      | phone
    jvz              | JVZ                | app
    nimbbl           | Nimbbl             | app    | INR IN      | phone
    paydefi          | PayDeFi            | coin
    phone-pe         | PhonePe            | app    | INR IN      | phone
    billplz          | Billplz            | bank   | MYR MY
    payok-upi        | UPI                | app    | =IN INR
    pyk-pix          | Pix                | app    | =BR BRL
    pyk-upi          | UPI                | app    | =IN INR
    pyk-iban         | IBAN Transfer      | bank   | =TR TRY
    moov-money       | Moov Money         | wallet | =BJ XOF     | phone
    mtn-mobile-money | MTN Mobile Money   | wallet | =BJ XOF     | phone
    moov-togo        | Moov Money         | wallet | =TG XOF     | phone
    togocom          | Togocom            | wallet | =TG XOF     | phone`,
  ),
  ...group(
    { prefix: 'xprowirelatam-', experience: 'confirm' },
    `
    ted           | TED             | bank   | BRL BR
    cash          | Cash            | code
    bank-transfer | Bank Transfer   | bank
    bank-slip     | Boleto Bancário | code   | BRL BR
    picpay        | PicPay          | wallet | BRL BR
    pix           | Pix             | app    | BRL BR`,
  ),

  ...group(
    { experience: 'details' },
    `
    panapay-netbanking | Netbanking        | bank | INR IN
    panapay-upi        | UPI               | app  | INR IN
    sofortuber         | Sofortüberweisung | bank | EUR
    webpaygate         | WebPayGate        | bank
    winnerpay          | WinnerPay         | bank`,
  ),

  ...group({ experience: 'qr', qr: 'ips' }, 'ips | IPS | code | =EUR =RSD =BAM =MKD'),
  ...group({ experience: 'qr', qr: 'pix' }, 'pix | Pix | code | BRL BR'),
  ...group(
    { experience: 'qr', qr: 'promptpay' },
    `
    payok-promptpay | PromptPay | code | THB TH
    pyk-promptpay   | PromptPay | code | =TH THB`,
  ),
  ...group(
    { experience: 'qr', qr: 'text' },
    `
    mcpayment | MCPayment | code
    mpesa     | M-PESA    | code | KES KE`,
  ),

  // Methods with further fields on the payment page, and the step after them.
  ...group({ experience: 'details', voucher: true }, 'axxi-cash | Axxi Cash | code'),
  ...group(
    { experience: 'redirect', experienceIn: { MX: 'details' } },
    'axxi-transfer | Axxi Transfer | bank | | country',
  ),
  ...group({ experience: 'redirect' }, 'vpayapp_upi | UPI | app | INR IN'),
  ...group({ experience: 'redirect' }, 'fairpay | Fairpay | bank | | name email country'),
  ...group(
    { experience: 'confirm' },
    `
    om-wallet      | Orange Money   | wallet |  | phone
    one-collection | One Collection | bank`,
  ),
  ...group({ experience: 'none' }, 'axxi-pin | Axxi PIN | code'),
  ...group(
    { experience: 'code' },
    `
    beeline        | Beeline                | wallet | | phone
    dpbanktransfer | Direct Bank Transfer   | bank`,
  ),
  ...group(
    {
      experience: 'confirm',
      operations: ['purchase', 'debit', 'credit'],
      actions: ['SALE', 'DEBIT2VIRTUAL', 'CREDIT2VIRTUAL'],
    },
    'kora | Kora | wallet | | email phone',
  ),

  ...group(
    { experience: 'message' },
    `
    ptn-email | Pay by Email | bank | | email
    ptn-sms   | Pay by SMS   | bank | | phone`,
  ),

  ...group(
    { experience: 'crypto' },
    `
    crypto-btg | Bitcoin Gold | coin
    awcc       | AWCC Crypto  | coin`,
  ),
];

// Methods that appear only in the tables of parameters, or as wallets that Checkout calls methods; their experience is
// inferred from their names.
const named: Method[] = [
  ...group(
    { experience: 'redirect', decided: true },
    `
    m2p-debit       | Match2Pay | coin
    tabby           | Tabby     | wallet | AED SAR KWD BHD QAR          | email phone
    tamara          | Tamara    | wallet | AED SAR KWD BHD QAR OMR      | email phone
    aircash-deposit | Aircash   | wallet |                              | name birth_date
    trans           | Trans     | bank`,
  ),
  ...group(
    { experience: 'redirect', decided: true, actions: none },
    `
    applepay  | Apple Pay  | wallet
    googlepay | Google Pay | wallet`,
  ),
  ...group(
    { experience: 'confirm', decided: true },
    `
    paythrough-upi    | UPI       | app    | INR IN
    yo-uganda-limited | Yo Uganda | wallet | UGX UG | phone`,
  ),
  ...group(
    { ...payoutOnly, decided: true },
    `
    swifipay-withdrawal | SwifiPay Payout | bank
    smlpz-out-peru      | Bank Payout     | bank | PEN PE`,
  ),
  ...group(
    { ...payoutOnly, actions: ['CREDIT2VIRTUAL', 'CREDIT2CRYPTO'], decided: true },
    'm2p-withdrawal | Match2Pay Payout | coin',
  ),
];

// The contract lists these without behaviour; their experience is inferred from their names.
const listed: Method[] = [
  ...group(
    { experience: 'redirect', decided: true },
    `
    araka           | Araka               | wallet
    afsbenefit      | BENEFIT             | card   | BHD BH
    a2a_transfer    | Account to Account  | bank
    bitolo-inr      | Bitolo              | bank   | INR IN
    bitolo-brl      | Bitolo              | bank   | BRL BR
    bitolo-zar      | Bitolo              | bank   | ZAR ZA
    blik            | BLIK                | app    | PLN PL
    citizen         | Citizen             | bank
    cup-on          | UnionPay Online     | card
    cybersource     | Cybersource         | card
    e-xezine        | e-Xəzinə            | wallet | AZN AZ
    fxmb-india      | FXMB India          | bank   | INR IN
    fxmb-netbanking | Netbanking          | bank   | INR IN
    interac         | Interac             | bank   | CAD CA
    intc-sdp        | Interac             | bank   | CAD CA
    ipasspay        | iPassPay            | card
    naps            | NAPS                | card   | QAR QA
    netbanking-upi  | Netbanking and UPI  | bank   | INR IN
    paypal          | PayPal              | wallet
    unipay          | UniPay              | wallet
    vp-wallet       | VP Wallet           | wallet
    zeropay         | ZeroPay             | wallet
    zen-payin       | ZEN                 | wallet`,
  ),
  ...group(
    { experience: 'confirm', decided: true },
    `
    airtel          | Airtel Money | wallet |        | phone
    capitec         | Capitec Pay  | bank   | ZAR ZA
    flttrwv-capitec | Capitec Pay  | bank   | ZAR ZA
    mtn-momo        | MTN MoMo     | wallet |        | phone
    paytota         | Paytota      | wallet |        | phone`,
  ),
  ...group(
    { experience: 'details', decided: true },
    `
    bts-ars | Bank Transfer | bank | ARS AR
    bts-mxn | SPEI Transfer | bank | MXN MX`,
  ),
  ...group({ experience: 'code', decided: true }, 'stcpay | stc pay | wallet | SAR SA | phone'),
  ...group({ experience: 'crypto', decided: true }, 'coinspaid | CoinsPaid | coin'),
  ...group(
    {
      experience: 'none',
      operations: ['purchase', 'debit', 'credit'],
      actions: ['SALE', 'DEBIT2VIRTUAL', 'CREDIT2VIRTUAL'],
      decided: true,
    },
    'vcard | vCard Test Wallet | wallet | | email',
  ),
];

const ppro: Method[] = [
  ...group(
    { prefix: 'ppro-', experience: 'redirect', decided: true },
    `
    alipay       | Alipay        | wallet | CNY CN
    bitpay       | BitPay        | coin
    dragonpay    | Dragonpay     | bank   | PHP PH
    fpx          | FPX           | bank   | MYR MY
    ideal        | iDEAL         | bank   | EUR NL
    klarna       | Klarna        | wallet
    przelewy24   | Przelewy24    | bank   | PLN EUR PL
    safetypay    | SafetyPay     | bank
    skrill       | Skrill        | wallet
    sofort       | Sofort        | bank
    trustly      | Trustly       | bank
    unionpay     | UnionPay      | card
    wechatonline | WeChat Pay    | wallet | CNY CN`,
  ),
  ...group({ prefix: 'ppro-', experience: 'qr', qr: 'text', decided: true }, 'wechat5 | WeChat Pay | code | CNY CN'),
];

const pr: Method[] = [
  ...group({ prefix: 'pr-', experience: 'details', voucher: true, decided: true }, 'cash | Cash Payment | code'),
  ...group(
    { prefix: 'pr-', experience: 'redirect', decided: true },
    `
    creditcard | Credit Card    | card
    online     | Online Banking | bank`,
  ),
  ...group({ prefix: 'pr-', experience: 'crypto', decided: true }, 'cryptocurrency | Cryptocurrency | coin'),
];

/** `PW_0007`, `PW_0008` and `PW_0010` to `PW_0060`: numbers without a name. */
const numbered = [7, 8, ...Array.from({ length: 51 }, (_, index) => 10 + index)].map((number) => {
  const id = `PW_${String(number).padStart(4, '0')}`;
  return `${id} | Online Payment ${number} | bank`;
});

const ptw: Method[] = [
  ...group(
    { prefix: 'ptw-', experience: 'redirect', decided: true },
    `
    open_banking_faster | Faster Payments    | bank   | GBP GB
    open_banking_sepa   | SEPA Transfer      | bank   | EUR
    opp                 | OPP                | bank
    opp_77              | OPP 77             | bank
    paytm               | Paytm              | wallet | INR IN
    pp_bancontact       | Bancontact         | bank   | EUR BE
    pp_blik_pln         | BLIK               | app    | PLN PL
    pp_eps              | eps                | bank   | EUR AT
    pp_eur              | Online Banking     | bank   | EUR
    pp_giropay          | giropay            | bank   | EUR DE
    pp_mybank           | MyBank             | bank   | EUR IT
    pp_przelewy24_pln   | Przelewy24         | bank   | PLN PL
    pp_trustly          | Trustly            | bank
    pp_usd              | Online Banking     | bank   | USD
    ${numbered.join('\n')}`,
  ),
  ...group(
    { prefix: 'ptw-', experience: 'details', decided: true },
    `
    korea_bank_transfer | Bank Transfer  | bank | KRW KR
    p2c                 | Card Transfer  | card
    p2c_2               | Card Transfer  | card`,
  ),
  ...group(
    { prefix: 'ptw-', experience: 'qr', qr: 'pix', decided: true },
    `
    bpix | Pix | code | BRL BR
    pix  | Pix | code | BRL BR`,
  ),
  ...group(
    { prefix: 'ptw-', experience: 'app', qr: 'upi', decided: true },
    `
    upi   | UPI | app | INR IN
    upi_2 | UPI | app | INR IN
    upi_3 | UPI | app | INR IN`,
  ),
];

const transact365: Method[] = [
  ...group({ prefix: 'transact365-', experience: 'qr', qr: 'qris', decided: true }, 'qris | QRIS | code | IDR ID'),
  ...group(
    { prefix: 'transact365-', experience: 'qr', qr: 'duitnow', decided: true },
    'duitnow | DuitNow QR | code | MYR MY',
  ),
  ...group({ prefix: 'transact365-', experience: 'qr', qr: 'qrph', decided: true }, 'qrph | QR Ph | code | PHP PH'),
  ...group(
    { prefix: 'transact365-', experience: 'qr', qr: 'promptpay', decided: true },
    'promptpay | PromptPay | code | THB TH',
  ),
  ...group({ prefix: 'transact365-', experience: 'app', qr: 'upi', decided: true }, 'upi | UPI | app | INR IN'),
  ...group({ prefix: 'transact365-', experience: 'confirm', decided: true }, 'ovo | OVO | wallet | IDR ID | phone'),
  ...group(
    { prefix: 'transact365-', experience: 'details', decided: true },
    `
    va            | Virtual Account | bank | IDR ID
    bank-transfer | Bank Transfer   | bank`,
  ),
  ...group(
    { prefix: 'transact365-', experience: 'redirect', decided: true },
    `
    dana   | DANA   | wallet | IDR ID
    fpx    | FPX    | bank   | MYR MY
    momo   | MoMo   | wallet | VND VN
    gcash  | GCash  | wallet | PHP PH
    maya   | Maya   | wallet | PHP PH
    bkash  | bKash  | wallet | BDT BD
    nagad  | Nagad  | wallet | BDT BD
    rocket | Rocket | wallet | BDT BD
    upay   | Upay   | wallet | BDT BD`,
  ),
  ...group(
    { prefix: 'transact365-', ...payoutOnly, decided: true },
    `
    idr-payout | Bank Payout (IDR) | bank | IDR ID
    myr-payout | Bank Payout (MYR) | bank | MYR MY
    vnd-payout | Bank Payout (VND) | bank | VND VN
    php-payout | Bank Payout (PHP) | bank | PHP PH
    thb-payout | Bank Payout (THB) | bank | THB TH
    bdt-payout | Bank Payout (BDT) | bank | BDT BD
    inr-payout | Bank Payout (INR) | bank | INR IN`,
  ),
];

const families: Method[] = [
  ...ppro,
  ...pr,
  ...ptw,
  ...transact365,
  ...group(
    { prefix: 'paycash-', experience: 'details', voucher: true, decided: true },
    `
    guatemala  | PayCash | code | GTQ GT
    honduras   | PayCash | code | HNL HN
    panama     | PayCash | code | USD PAB PA
    colombia   | PayCash | code | COP CO
    costarica  | PayCash | code | CRC CR
    ecuador    | PayCash | code | USD EC
    dominicana | PayCash | code | DOP DO
    peru       | PayCash | code | PEN PE
    chile      | PayCash | code | CLP CL
    mexico     | PayCash | code | MXN MX`,
  ),
  ...group(
    { prefix: 'pyk-', experience: 'redirect', decided: true },
    `
    bkmexpress   | BKM Express     | wallet | =TR TRY
    momo         | MoMo            | wallet | =VN VND
    paparawallet | Papara          | wallet | =TR TRY
    truemoney    | TrueMoney       | wallet | =TH THB`,
  ),
  ...group({ prefix: 'pyk-', experience: 'confirm', decided: true }, 'nequipush | Nequi | wallet | =CO COP'),
  ...group({ experience: 'confirm', decided: true }, 'sz-in-upi | UPI | app | INR IN'),
  ...group({ experience: 'redirect', decided: true }, 'allpay-api | Allpay | bank'),
  ...group({ experience: 'message', decided: true }, 'allpay-email | Allpay by Email | bank | | email'),
  ...group({ ...payoutOnly, decided: true }, 'allpay-payout | Allpay Payout | bank | | name email'),
];

/** Every method, in the order of the contract's groups; identifiers are unique. */
export const methods: readonly Method[] = [...shown, ...named, ...listed, ...families].map((row) => ({
  ...row,
  ...details[row.id],
}));

const byId = new Map(methods.map((method) => [method.id, method]));

/** The row of an identifier (`methods` of Checkout, `brand` of S2S APM); identifiers are case-sensitive. */
export function findMethod(id: string): Method | undefined {
  return byId.get(id);
}

/** The payer's experience, which may depend on their country (alpha-2). */
export function experienceOf({ experience, experienceIn }: Method, country?: string): Experience {
  return experienceIn?.[country ?? ''] ?? experience;
}
