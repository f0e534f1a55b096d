/**
 * The catalogue of payment methods: every identifier of the contract (interface.md, Payment method catalog) with the
 * payer's experience. The protocols, the payment page, the sandbox provider and the documentation read it. A plain
 * method is one line; catalog/details.ts contains the details of the others.
 */
import { details } from './catalog/details.ts';
import { group } from './catalog/lines.ts';
import type { Experience, Method } from './method.ts';

// The contract shows the payer's experience of these.
const shown = group(
  {},
  `
  card:
    card | Card | card
  redirect:
    astropay           | AstroPay           | wallet
    bpwallet           | BP Wallet          | wallet
    cardpaymentz       | CardPaymentz       | card
    cnfmo              | CNFMO              | bank
    dcp                | DCP                | bank
    dl                 | dLocal             | bank
    dlocal             | dLocal             | bank
    doku-hpp           | DOKU               | bank   | IDR ID
    gigadat            | Gigadat            | bank   | CAD CA
    instant-bills-pay  | Instant Bills Pay  | bank
    kashahpp           | Kasha              | wallet
    katarun            | Katarun            | bank
    kotani-card        | Kotani Pay Card    | card
    kotani-paybybank   | Kotani Pay by Bank | bank
    kunnect            | Kunnect            | coin
    mcpayhpp           | MCPay              | card
    next-level-finance | Next Level Finance | coin
    nuvvex             | Nuvvex             | bank
    num-applepay       | Apple Pay          | wallet |        | name email address country city zip
    num-googlepay      | Google Pay         | wallet |        | name email address country city zip
    nv-apm             | NV APM             | bank
    pagsmile           | PagSmile           | bank   |        | country
    papara             | Papara             | wallet | TRY TR
    payablhpp          | payabl.            | card
    payftr-in          | PayFuture          | bank   | INR IN
    ptbs               | PTBS               | bank
    ptn-inapp          | PTN In-App         | app
    stripe-js          | Stripe             | card
    swifipay-deposit   | SwifiPay           | bank
    sz-in-imps         | IMPS               | bank   | INR IN
    sz-in-paytm        | Paytm              | wallet | INR IN
    sz-jp-p2p          | P2P Bank Transfer  | bank   | JPY JP
    sz-kr-p2p          | P2P Bank Transfer  | bank   | KRW KR
    sz-my-ob           | Online Banking     | bank   | MYR MY
    sz-th-ob           | Online Banking     | bank   | THB TH
    sz-th-qr           | Thai QR            | code   | THB TH
    sz-vn-ob           | Online Banking     | bank   | VND VN
    sz-vn-p2p          | P2P Bank Transfer  | bank   | VND VN
    trustgate          | Trustgate          | card
    txn                | TXN                | bank
    txn-f              | TXN-F              | bank
    unipayment         | UniPayment         | coin
    vouchstar          | Vouchstar          | wallet
    xswitfly           | XSwitfly           | bank
    yapily             | Yapily             | bank
  app upi:
    upi-2 | UPI | app | INR IN
    upi-4 | UPI | app | INR IN
  confirm:
    fawry            | Fawry            | app    | EGP EG  | phone
    jvz              | JVZ              | app
    nimbbl           | Nimbbl           | app    | INR IN  | phone
    paydefi          | PayDeFi          | coin
    phone-pe         | PhonePe          | app    | INR IN  | phone
    billplz          | Billplz          | bank   | MYR MY
    payok-upi        | UPI              | app    | =IN INR
    pyk-pix          | Pix              | app    | =BR BRL
    pyk-upi          | UPI              | app    | =IN INR
    pyk-iban         | IBAN Transfer    | bank   | =TR TRY
    moov-money       | Moov Money       | wallet | =BJ XOF | phone
    mtn-mobile-money | MTN Mobile Money | wallet | =BJ XOF | phone
    moov-togo        | Moov Money       | wallet | =TG XOF | phone
    togocom          | Togocom          | wallet | =TG XOF | phone
  xprowirelatam- confirm:
    ted           | TED             | bank   | BRL BR
    cash          | Cash            | code
    bank-transfer | Bank Transfer   | bank
    bank-slip     | Boleto Bancário | code   | BRL BR
    picpay        | PicPay          | wallet | BRL BR
    pix           | Pix             | app    | BRL BR
  details:
    panapay-netbanking | Netbanking        | bank | INR IN
    panapay-upi        | UPI               | app  | INR IN
    sofortuber         | Sofortüberweisung | bank | EUR
    webpaygate         | WebPayGate        | bank
    winnerpay          | WinnerPay         | bank
  qr ips:
    ips | IPS | code | =EUR =RSD =BAM =MKD
  qr pix:
    pix | Pix | code | BRL BR
  qr promptpay:
    payok-promptpay | PromptPay | code | THB TH
    pyk-promptpay   | PromptPay | code | =TH THB
  qr text:
    mcpayment | MCPayment | code
    mpesa     | M-PESA    | code | KES KE
  details voucher:
    axxi-cash | Axxi Cash | code
  redirect:
    axxi-transfer | Axxi Transfer | bank |        | country
    vpayapp_upi   | UPI           | app  | INR IN
    fairpay       | Fairpay       | bank |        | name email country
  confirm:
    om-wallet      | Orange Money   | wallet |  | phone
    one-collection | One Collection | bank
  none:
    axxi-pin | Axxi PIN | code
  code:
    beeline        | Beeline              | wallet |  | phone
    dpbanktransfer | Direct Bank Transfer | bank
  confirm:
    kora | Kora | wallet |  | email phone
  message:
    ptn-email | Pay by Email | bank |  | email
    ptn-sms   | Pay by SMS   | bank |  | phone
  crypto:
    crypto-btg | Bitcoin Gold | coin
    awcc       | AWCC Crypto  | coin`,
);

// Methods that appear only in the tables of parameters, or as wallets that Checkout calls methods; their experience is
// inferred from their names.
const named = group(
  { decided: true },
  `
  redirect:
    m2p-debit       | Match2Pay  | coin
    tabby           | Tabby      | wallet | AED SAR KWD BHD QAR     | email phone
    tamara          | Tamara     | wallet | AED SAR KWD BHD QAR OMR | email phone
    aircash-deposit | Aircash    | wallet |                         | name birth_date
    trans           | Trans      | bank
    applepay        | Apple Pay  | wallet
    googlepay       | Google Pay | wallet
  confirm:
    paythrough-upi    | UPI       | app    | INR IN
    yo-uganda-limited | Yo Uganda | wallet | UGX UG | phone
  payout:
    swifipay-withdrawal | SwifiPay Payout  | bank
    smlpz-out-peru      | Bank Payout      | bank | PEN PE
    m2p-withdrawal      | Match2Pay Payout | coin`,
);

// The contract lists these without behaviour; their experience is inferred from their names.
const listed = group(
  { decided: true },
  `
  redirect:
    araka           | Araka              | wallet
    afsbenefit      | BENEFIT            | card   | BHD BH
    a2a_transfer    | Account to Account | bank
    bitolo-inr      | Bitolo             | bank   | INR IN
    bitolo-brl      | Bitolo             | bank   | BRL BR
    bitolo-zar      | Bitolo             | bank   | ZAR ZA
    blik            | BLIK               | app    | PLN PL
    citizen         | Citizen            | bank
    cup-on          | UnionPay Online    | card
    cybersource     | Cybersource        | card
    e-xezine        | e-Xəzinə           | wallet | AZN AZ
    fxmb-india      | FXMB India         | bank   | INR IN
    fxmb-netbanking | Netbanking         | bank   | INR IN
    interac         | Interac            | bank   | CAD CA
    intc-sdp        | Interac            | bank   | CAD CA
    ipasspay        | iPassPay           | card
    naps            | NAPS               | card   | QAR QA
    netbanking-upi  | Netbanking and UPI | bank   | INR IN
    paypal          | PayPal             | wallet
    unipay          | UniPay             | wallet
    vp-wallet       | VP Wallet          | wallet
    zeropay         | ZeroPay            | wallet
    zen-payin       | ZEN                | wallet
  confirm:
    airtel          | Airtel Money | wallet |        | phone
    capitec         | Capitec Pay  | bank   | ZAR ZA
    flttrwv-capitec | Capitec Pay  | bank   | ZAR ZA
    mtn-momo        | MTN MoMo     | wallet |        | phone
    paytota         | Paytota      | wallet |        | phone
  details:
    bts-ars | Bank Transfer | bank | ARS AR
    bts-mxn | SPEI Transfer | bank | MXN MX
  code:
    stcpay | stc pay | wallet | SAR SA | phone
  crypto:
    coinspaid | CoinsPaid | coin
  none:
    vcard | vCard Test Wallet | wallet |  | email`,
);

/** `PW_0007`, `PW_0008` and `PW_0010` to `PW_0060`: numbers without a name. */
const numbered = [7, 8, ...Array.from({ length: 51 }, (_, index) => 10 + index)].map((number) => {
  const id = `PW_${String(number).padStart(4, '0')}`;
  return `${id} | Online Payment ${number} | bank`;
});

const families = group(
  { decided: true },
  `
  ppro- redirect:
    alipay       | Alipay     | wallet | CNY CN
    bitpay       | BitPay     | coin
    dragonpay    | Dragonpay  | bank   | PHP PH
    fpx          | FPX        | bank   | MYR MY
    ideal        | iDEAL      | bank   | EUR NL
    klarna       | Klarna     | wallet
    przelewy24   | Przelewy24 | bank   | PLN EUR PL
    safetypay    | SafetyPay  | bank
    skrill       | Skrill     | wallet
    sofort       | Sofort     | bank
    trustly      | Trustly    | bank
    unionpay     | UnionPay   | card
    wechatonline | WeChat Pay | wallet | CNY CN
  ppro- qr text:
    wechat5 | WeChat Pay | code | CNY CN
  pr- details voucher:
    cash | Cash Payment | code
  pr- redirect:
    creditcard | Credit Card    | card
    online     | Online Banking | bank
  pr- crypto:
    cryptocurrency | Cryptocurrency | coin
  ptw- redirect:
    open_banking_faster    | Faster Payments | bank   | GBP GB
    open_banking_sepa      | SEPA Transfer   | bank   | EUR
    opp                    | OPP             | bank
    opp_77                 | OPP 77          | bank
    paytm                  | Paytm           | wallet | INR IN
    pp_bancontact          | Bancontact      | bank   | EUR BE
    pp_blik_pln            | BLIK            | app    | PLN PL
    pp_eps                 | eps             | bank   | EUR AT
    pp_eur                 | Online Banking  | bank   | EUR
    pp_giropay             | giropay         | bank   | EUR DE
    pp_mybank              | MyBank          | bank   | EUR IT
    pp_przelewy24_pln      | Przelewy24      | bank   | PLN PL
    pp_trustly             | Trustly         | bank
    pp_usd                 | Online Banking  | bank   | USD
    ${numbered.join('\n')}
  ptw- details:
    korea_bank_transfer | Bank Transfer | bank | KRW KR
    p2c                 | Card Transfer | card
    p2c_2               | Card Transfer | card
  ptw- qr pix:
    bpix | Pix | code | BRL BR
    pix  | Pix | code | BRL BR
  ptw- app upi:
    upi   | UPI | app | INR IN
    upi_2 | UPI | app | INR IN
    upi_3 | UPI | app | INR IN
  transact365- qr qris:
    qris | QRIS | code | IDR ID
  transact365- qr duitnow:
    duitnow | DuitNow QR | code | MYR MY
  transact365- qr qrph:
    qrph | QR Ph | code | PHP PH
  transact365- qr promptpay:
    promptpay | PromptPay | code | THB TH
  transact365- app upi:
    upi | UPI | app | INR IN
  transact365- confirm:
    ovo | OVO | wallet | IDR ID | phone
  transact365- details:
    va            | Virtual Account | bank | IDR ID
    bank-transfer | Bank Transfer   | bank
  transact365- redirect:
    dana   | DANA   | wallet | IDR ID
    fpx    | FPX    | bank   | MYR MY
    momo   | MoMo   | wallet | VND VN
    gcash  | GCash  | wallet | PHP PH
    maya   | Maya   | wallet | PHP PH
    bkash  | bKash  | wallet | BDT BD
    nagad  | Nagad  | wallet | BDT BD
    rocket | Rocket | wallet | BDT BD
    upay   | Upay   | wallet | BDT BD
  transact365- payout:
    idr-payout | Bank Payout (IDR) | bank | IDR ID
    myr-payout | Bank Payout (MYR) | bank | MYR MY
    vnd-payout | Bank Payout (VND) | bank | VND VN
    php-payout | Bank Payout (PHP) | bank | PHP PH
    thb-payout | Bank Payout (THB) | bank | THB TH
    bdt-payout | Bank Payout (BDT) | bank | BDT BD
    inr-payout | Bank Payout (INR) | bank | INR IN
  paycash- details voucher:
    guatemala  | PayCash | code | GTQ GT
    honduras   | PayCash | code | HNL HN
    panama     | PayCash | code | USD PAB PA
    colombia   | PayCash | code | COP CO
    costarica  | PayCash | code | CRC CR
    ecuador    | PayCash | code | USD EC
    dominicana | PayCash | code | DOP DO
    peru       | PayCash | code | PEN PE
    chile      | PayCash | code | CLP CL
    mexico     | PayCash | code | MXN MX
  pyk- redirect:
    bkmexpress   | BKM Express | wallet | =TR TRY
    momo         | MoMo        | wallet | =VN VND
    paparawallet | Papara      | wallet | =TR TRY
    truemoney    | TrueMoney   | wallet | =TH THB
  pyk- confirm:
    nequipush | Nequi | wallet | =CO COP
  confirm:
    sz-in-upi | UPI | app | INR IN
  redirect:
    allpay-api | Allpay | bank
  message:
    allpay-email | Allpay by Email | bank |  | email
  payout:
    allpay-payout | Allpay Payout | bank |  | name email`,
);

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
