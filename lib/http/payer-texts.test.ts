// The edited texts of the payer's pages: words that each text has, and words of earlier texts that it must not have
// (docs/glossary.md, "Texts for payers").
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Messages = Record<string, string>;

const folder = join(import.meta.dirname, '../../messages');
const read = (path: string): Messages => JSON.parse(readFileSync(join(folder, `${path}.json`), 'utf8'));
const regions = readdirSync(join(folder, 'regions')).map((name) => name.replace('.json', ''));

/** Rows of key, required words, refused words. */
const rowsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

const edited: Record<string, string> = {
  en: `
    pay.none                       | No payment methods match.                           | No way to pay
    pay.find                       | Search payment methods                              | Find a way
    payout.find                    | Search payout methods                               | Find a way
    payout.more                    | More payout methods                                 | ways to receive
    field.card_expiry              | Expiry date                                         | Expires
    field.address                  | Street address                                      |
    error.address.empty            | Enter your street address.                          |
    parameter.person_type          | Account holder                                      | You are
    parameter.person_type.natural  | Individual                                          | private person
    parameter.person_type.legal    | Business                                            | company
    parameter.document_type        | Document type                                       | Kind of
    parameter.account_type         | Account type                                        | Kind of
    parameter.product_type         | Product type                                        | Kind of
    parameter.product_sku          | Item number (SKU)                                   | Article
    parameter.product_image_url    | Image URL                                           | picture
    parameter.document_number.hint | CPF, DNI or RUT                                     | As printed
    error.parameter.empty          | This field is required.                             | Fill this in
    error.card_number.brand        | We don’t accept this card type.                     | kind of card
    error.email.wrong              | Enter an email like name@example.com.               | not complete
    error.phone.wrong              | Enter the full number with country code.            | all digits
    error.card_cvv.empty           | Enter the {count}-digit security code.              | {count} digits
    error.document.checkDigits     | the check digits don’t match                        | do not
    decline.cvv.heading            | The security code doesn’t match                     | does not
    decline.number.heading         | Check your card number                              | match
    decline.expiry.heading         | Check the expiry date                               | match
    decline.data.heading           | Check your card details                             | match
    decline.funds.heading          | Insufficient funds or card limit reached            | Not enough money
    decline.unconfirmed.heading    | Your bank couldn’t verify your identity             | that it is you
    decline.technical.heading      | The bank couldn’t be reached                        | could not
    decline.technical.text         | There is nothing wrong with your card               | not about your card
    decline.methodUnconfirmed.heading | The payment wasn’t confirmed                     | was not
    offline.text                   | check here whether the payment went through         | look here
    challenge.text                 | needs one more step to approve this payment         | lets this payment through
    challenge.frame                | Your bank’s window                                  | Window of
    challenge.loading              | Your bank’s page is loading.                        | The page of
    challenge.elsewhere            | This page updates automatically.                    | follows
    waiting.unknown.heading        | We’re waiting for your bank                         | still asking
    waiting.unknown.text           | We’ll update this page as soon as your bank answers | has answered
    waiting.close                  | We’ll keep checking and let {merchant} know.        | keep watching
    waiting.confirmation.help      | you’ll find the request there                       | waiting inside
    leave.text                     | If you haven’t paid, we’ll cancel this payment      | have not paid
    qr.point                       | Point your camera at this code.                     | Point it
    qr.textPhone                   | Scan this code with another phone                   | on this one
    qr.confirm                     | This page updates automatically.                    | moves on
    qr.copy                        | Payment code                                        | as text
    qr.paid                        | Wait here. Do not pay twice.                        | here, do
    crypto.text                    | This page updates automatically                     | moves on
    crypto.textAny                 | This page updates automatically                     | moves on
    crypto.noteMore                | in another coin or on another network is lost       | cannot be returned
    crypto.left                    | Rate guaranteed for                                 | Price held
    app.textPhone                  | with the amount already filled in                   | opens with the amount filled
    app.opens                      | The amount is already filled in.                    | The app opens
    instructions.note              | we can’t match your payment                         | your money
    instructions.noteMore          | Don’t add anything else to that field.              | that line
    instructions.ticket            | Download the voucher                                | ticket
    message.helpEmail              | Check your spam folder.                             | Look in
    redirecting.text               | You’ll complete the payment there and return here.  | come back
    continue.text                  | can’t be shown inside the page of {merchant}, so it opens in a new window | of its own
    receipt.countdown              | Returning automatically in # seconds.               | You return
    receipt.number                 | Payment reference                                   | Payment number
    payout.method                  | Received via                                        | Received with
    payout.headingCard             | Get paid to your card                               | Receive on
    transfer.titleErrors           | send money with {merchant}                          | money, {merchant}
    unknownLink.heading            | This payment link doesn’t work                      | does not
    unknownLink.text               | Go back to the shop and open the link again         | once more from
    failure.heading                | This page can’t be shown                            | could not
    failure.text                   | to check whether the payment went through           | to see what
    limited.text                   | so this request was stopped                         | was not carried out
    outbox.unexpected              | If you weren’t expecting this message, ignore it    | Did you not`,
  de: `
    error.code.wrong          | Bitte Code prüfen und erneut eingeben.                  | Prüfen Sie
    error.card_number.short   | Bitte die ganze Kartennummer eingeben.                  | zu kurz
    error.email.wrong         | Bitte vollständige E-Mail eingeben.                     | unvollständig
    details.voucher           | Zahlungscode                                            | Gutschein
    parameter.person_type     | Kontoinhaber                                            | Sie sind
    qr.point                  | Richten Sie die Kamera auf diesen Code. Der Betrag ist bereits eingetragen. | sie auf
    app.opens                 | Der Betrag ist bereits eingetragen.                     | ausgefüllt
    app.textPhone             | der Betrag ist bereits eingetragen                      | öffnet sich mit dem Betrag
    crypto.noteMore           | Beträge in einer anderen Währung                        | ist verloren
    transfer.receiptHeading   | Geldtransfer                                            | Überweisung
    message.headingEmail      | Prüfen Sie Ihr Postfach                                 | Sehen Sie
    pay.none                  | Keine Zahlungsart gefunden.                             | heißt so
    pay.headingAnotherWay     | Andere Zahlungsart                                      | Anders bezahlen
    waiting.anotherWay        | Andere Zahlungsart                                      | Anders bezahlen
    wallet.none.text          | Es wurde nichts abgebucht.                              | das es kann
    receipt.countdown         | Automatische Weiterleitung in # Sekunden.               | kehren Sie`,
  fr: `
    decline.bank.text         | Aucun montant n’a été débité.                           | vous n’avez
    cancelled.text            | Aucun montant n’a été débité.                           | vous n’avez
    parameter.person_type     | Titulaire du compte                                     | Vous êtes
    details.sort_code         | sort code                                               | guichet
    details.voucher           | Code de paiement                                        | bon
    crypto.noteMore           | Tout envoi dans une autre monnaie                       | serait perdu
    payout.find               | Chercher un mode de versement                           | moyen de réception
    pay.none                  | Aucun résultat.                                         | ce nom
    app.textPhone             | Confirmez dans l’appli                                  | Confirmez-y
    qr.confirm                | se met à jour automatiquement                           | avance
    crypto.text               | se met à jour automatiquement                           | avance
    challenge.elsewhere       | se met à jour automatiquement                           | suivra`,
  sp: `
    instructions.ticket       | Descargar la ficha de pago                              | comprobante
    error.house_number.empty  | el número de la vivienda                                | de su calle
    parameter.person_type     | Titular de la cuenta                                    | Usted es
    pay.leave                 | Ir a {method}                                           | Continuar a
    redirecting.headingTo     | Ir a {to}                                               | Continuar a
    challenge.continue        | Continuar en la web de su banco                         | Continúe a
    waiting.confirmation.help | Abra la app: ahí verá la solicitud                      | le espera
    message.helpEmail         | ¿No le ha llegado el correo?                            | ¿No hay
    message.helpSms           | ¿No le ha llegado el mensaje?                           | ¿No hay
    challenge.elsewhere       | se actualiza automáticamente                            | seguirá
    qr.confirm                | se actualiza automáticamente                            | avanza
    crypto.text               | se actualiza automáticamente                            | avanza
    app.textPhone             | con el importe ya indicado                              | puesto
    crypto.noteMore           | Todo lo que envíe en otra moneda                        | está perdid
    details.voucher           | Código de pago                                          | vale`,
  ar: `
    payout.title              | تحويل                                  | دفعة
    payout.receiptHeading     | اكتمل التحويل                          | دفعة
    payout.declinedHeading    | رُفض هذا التحويل                       | دفعة
    payout.waitingText        | فور ردّ المصرف                         | البنك
    installments.interest     | يضيف مصرفك فوائد                       | البنك
    details.sort_code         | Sort code                              | رمز الفرز
    details.memo              | Memo                                   |
    hint.expiry               | MM / YY                                | شهر
    error.card_expiry.empty   | MM / YY                                | شهر
    error.card_expiry.wrong   | MM / YY                                | شهر /
    crypto.note               | أرسل {currency} فقط                    |
    qr.text                   | لا حاجة إلى كتابة                      | بلا كتابة
    crypto.noteMore           | أي مبلغ يُرسل بعملة أخرى               |`,
};

describe.each(Object.entries(edited))('the edited texts in %s', (code, table) => {
  it.each(rowsOf(table))('%s', (key, required, refused) => {
    const text = read(code)[key ?? ''] ?? '';
    expect(text).toContain(required);
    if (refused) expect(text.toLowerCase()).not.toContain(refused.toLowerCase());
  });
});

/** All texts that match, with their keys. */
const matching = (texts: Messages, pattern: RegExp) => Object.entries(texts).filter(([, text]) => pattern.test(text));

describe('English', () => {
  // The "not" of these cannot be missed: the payer's money, and the warning of a second payment.
  const full = /You have not been charged|You cannot be charged on this page|\bdo not pay (again|twice)/gi;

  it.each(['en', ...regions.filter((tag) => tag.startsWith('en-')).map((tag) => `regions/${tag}`)])(
    'of %s uses contractions, except of the payer’s money',
    (path) => {
      const plain = Object.fromEntries(Object.entries(read(path)).map(([key, text]) => [key, text.replace(full, '')]));
      expect(matching(plain, /\b(do|does|did|is|are|was|were|has|have|had|can|could|will|would) ?not\b/i)).toEqual([]);
      expect(matching(plain, /\b(we|you) (will|are|have not)\b/i)).toEqual([]);
    },
  );

  it('says what the payer can expect, not what a page does by itself', () => {
    expect(matching(read('en'), /by itself|follows|moves on|keep watching|a window of its own/i)).toEqual([]);
  });

  it('states what happened to the money without contractions', () => {
    expect(matching(read('en'), /(haven’t|can’t) be(en)? charged|don’t pay/i)).toEqual([]);
    expect(matching(read('en'), full).length).toBeGreaterThan(20);
  });
});

describe('German', () => {
  const errors = matching(read('de'), /./).filter(([key]) => key.startsWith('error.'));

  it('asks for a value in one form: "Bitte" and the verb at the end', () => {
    // No value of the payer is right for a refused card type.
    const others = errors.filter(([key, text]) => key !== 'error.card_number.brand' && !/(^|\. )Bitte /.test(text));
    expect(others).toEqual([]);
    expect(errors.filter(([, text]) => /\b(Sie|Ihre?n?)\b/.test(text))).toEqual([]);
  });
});

it('French agrees with no gender of the payer, and calls an app "appli"', () => {
  expect(matching(read('fr'), /avez (pas )?(encore )?été|application/i)).toEqual([]);
});

it('Arabic calls a bank مصرف, and never calls a payout a payment', () => {
  const texts = read('ar');
  expect(matching(texts, /بنك/)).toEqual([]);
  const payouts = Object.fromEntries(Object.entries(texts).filter(([key]) => key.startsWith('payout.')));
  expect(matching(payouts, /دفعة/)).toEqual([]);
});

describe('Spanish', () => {
  const latin = { ...read('sp'), ...read('regions/es-419') };

  it('of Latin America has its own words', () => {
    expect(matching(latin, /importe|introduzca|caduc|\bha(n)? (sido|rechazado|vencido|enviado)\b/i)).toEqual([]);
    expect(latin).toMatchObject({ 'field.card_expiry': 'Vencimiento', 'details.amount': 'Monto' });
    expect(latin['error.card_number.empty']).toMatch(/^Ingrese/);
  });

  it('of Spain has its own', () => {
    expect({ ...read('sp'), ...read('regions/es-ES') }).toMatchObject({
      'field.card_expiry': 'Caducidad',
      'details.amount': 'Importe',
    });
  });
});
