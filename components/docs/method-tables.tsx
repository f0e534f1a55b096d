// The tables of payment methods, drawn from the catalogue that the service works by.
import type { ReactNode } from 'react';
import { methods } from '../../lib/methods/catalog';
import { credentialLines, type ParameterLine, parameterLines } from '../../lib/methods/catalog/lines';
import type { Experience, Method } from '../../lib/methods/method';
import { Table } from './tables';

const experiences: Record<Experience, string> = {
  card: 'enters a card',
  redirect: 'leaves for a page',
  app: 'opens an app',
  confirm: 'confirms elsewhere',
  details: 'is shown payment data',
  qr: 'scans a QR code',
  message: 'is sent a link',
  crypto: 'sends coins',
  code: 'types a code sent to them',
  none: 'does nothing more',
};

/** In the order of the alphabet, because it is looked up by identifier. */
const sorted = [...methods].sort((a, b) => (a.id < b.id ? -1 : 1));

const decidedCount = methods.filter(({ decided }) => decided).length;

/** How many there are. */
export function MethodCount() {
  return (
    <p>
      {methods.length} identifiers. What the payer goes through is our decision for the {decidedCount} that are marked
      with a star: the contract names them and says no more. Currencies and countries in brackets are read from the
      method’s name; the merchant account decides.
    </p>
  );
}

function purposeOf({ operations }: Method): string {
  const pays = operations.includes('purchase') ? ['payments'] : [];
  return [...pays, ...(operations.includes('credit') ? ['payouts'] : [])].join(', ');
}

function placesOf({ currencies = [], countries = [], inferred }: Method): string {
  const text = [...currencies, ...countries].join(' ');
  return inferred ? `(${text})` : text;
}

/** Every method. */
export function MethodTable() {
  return (
    <Table name="Payment methods" head={['Identifier', 'Name', 'The payer', 'For', 'Currencies, countries']}>
      {sorted.map((method) => (
        <tr key={method.id} id={`method-${method.id}`}>
          <td className="nowrap">
            <code>{method.id}</code>
          </td>
          <td>
            {method.name}
            <Note text={method.note} />
          </td>
          <td className="nowrap">
            {experiences[method.experience]}
            {method.decided ? <span title="our decision"> *</span> : null}
          </td>
          <td>{purposeOf(method)}</td>
          <td>{placesOf(method)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Note({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <>
      <br />
      <span className="quiet">{text}</span>
    </>
  );
}

const needs: { [need: string]: string } = {
  R: 'required',
  C: 'asked',
  A: 'asked, optional',
  O: 'optional',
};

const formats: { [word: string]: (...measures: string[]) => string } = {
  text: (most) => `text, up to ${most} characters`,
  between: (least, most) => `text, ${least} to ${most} characters`,
  answer: (least, most) => `text without spaces, ${least} to ${most} characters`,
  alnum: (least, most) => `letters and digits, ${least === most ? least : `${least} to ${most}`}`,
  digits: (most) => `digits, up to ${most}`,
  money: (whole, parts) => `decimal number, up to ${whole} digits and ${parts} decimals`,
  one: (...choices) => `one of ${choices.join(', ')}`,
  phone: () => 'phone number',
  msisdn: (country) => (country ? `phone number of ${country}` : 'phone number with country code'),
  email: () => 'e-mail address',
  upi: () => 'UPI address, name@bank',
  swift: () => 'SWIFT code, 8 or 11 characters',
  coin: () => 'code of a currency or coin',
  country: () => 'country, alpha-2',
  datetime: () => 'ISO 8601, UTC',
  pin: (least, most) => `digits and letters, ${least} to ${most}`,
  'cpf-or-cnpj': () => 'CPF or CNPJ',
  url: () => 'http or https address',
  boolean: () => 'true or false',
};

function formatText(format: string): string {
  const [word = '', ...measures] = format.split(' ');
  return formats[word]?.(...measures) ?? (word.length < 5 ? word.toUpperCase() : word);
}

function defaultOf(method: Method, name: string): string {
  const value = method.defaults?.[name];
  return value === undefined ? '' : `, ${value} when absent`;
}

// Methods whose lines are the same share them, so that the table shows what differs.
function Lines({ name, linesOf }: { name: string; linesOf: (method: Method) => ParameterLine[] }) {
  const shared = new Map<string, { ids: string[]; method: Method; lines: ParameterLine[] }>();
  for (const method of sorted) {
    const lines = linesOf(method);
    const key = JSON.stringify([lines, method.defaults]);
    const known = shared.get(key);
    if (known) known.ids.push(method.id);
    else if (lines.length > 0) shared.set(key, { ids: [method.id], method, lines });
  }
  return (
    <Table name={name} head={['Method', 'Name', 'Need', 'Format', 'Where']}>
      {[...shared.values()].flatMap(({ ids, method, lines }) =>
        lines.map((line) => (
          <tr key={`${method.id} ${line.name} ${line.where}`}>
            <td>{codesOf(ids)}</td>
            <td>
              <code>{line.name}</code>
            </td>
            <td className="nowrap">{needs[line.need]}</td>
            <td>{formatText(line.format) + defaultOf(method, line.name)}</td>
            <td>{line.where}</td>
          </tr>
        )),
      )}
    </Table>
  );
}

function codesOf(ids: readonly string[]): ReactNode {
  return ids.map((id) => (
    <code key={id} className="nowrap">
      {id}{' '}
    </code>
  ));
}

/** The parameters of every method that has any. */
export function ParameterTable() {
  const linesOf = ({ parameters, payout }: Method) => [...parameterLines(parameters), ...parameterLines(payout)];
  return <Lines name="Parameters of methods" linesOf={linesOf} />;
}

/** What methods demand of the request's own fields. */
export function OwnFieldTable() {
  return <Lines name="Demands on other fields" linesOf={({ fields }) => parameterLines(fields)} />;
}

/** What a merchant account of a method has to know. */
export function CredentialTable() {
  const rows = sorted.flatMap((method) =>
    credentialLines(method.credentials).map((line) => ({ id: method.id, ...line })),
  );
  return (
    <Table name="Settings of merchant accounts" head={['Method', 'Name', 'Need', 'Kind', 'What it is']}>
      {rows.map(({ id, name, secret, required, about }) => (
        <tr key={`${id} ${name}`}>
          <td className="nowrap">
            <code>{id}</code>
          </td>
          <td>
            <code>{name}</code>
          </td>
          <td>{required ? 'required' : 'optional'}</td>
          <td>{secret ? 'secret' : 'plain'}</td>
          <td>{about}</td>
        </tr>
      ))}
    </Table>
  );
}
