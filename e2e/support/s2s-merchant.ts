// What the shops' servers of both form protocols share: form bodies with bracket keys, and answers as received, including
// API errors.
import { conform, readForm } from './conformance.ts';
import { type Answer, type Changes, newOrderNumber } from './merchant.ts';
import { sendRequest } from './send-request.ts';

/** A payment with the values that later requests and callbacks are signed with. */
export type Sold = { orderId: string; transId: string; email?: string; card?: string; answer: Answer };

/** Posts forms to a protocol's `endpoint`, and checks each request and answer against its document. */
export function formClient(baseUrl: string, endpoint: string) {
  async function send(body: BodyInit, path = endpoint, headers: Record<string, string> = {}): Promise<Answer> {
    const received = await sendRequest(baseUrl + path, { method: 'POST', body, headers });
    const answer = { status: received.status, body: parse(received.text), headers: received.headers };
    await conform({ baseUrl, method: 'POST', path, body: readForm(body), status: answer.status, answer: answer.body });
    return answer;
  }

  const post = (fields: Changes, path?: string, headers?: Record<string, string>) =>
    send(new URLSearchParams(pairsOf(fields)), path, headers);

  /** Posts a body that must be accepted, and returns the payment. */
  async function accepted(body: Changes): Promise<Sold> {
    const answer = await post(body);
    if (answer.status !== 200) {
      throw new Error(`${body.action} rejected: ${answer.status} ${JSON.stringify([body.brand, answer.body])}`);
    }
    const email = textOf(body.payer_email);
    return { orderId: String(body.order_id), transId: answer.body.trans_id, email, answer };
  }

  return { send, post, accepted };
}

/** `[name, value]` pairs with bracket keys. */
export function pairsOf(fields: Changes, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const key = prefix === '' ? name : `${prefix}[${name}]`;
    if (value === undefined) return [];
    return typeof value === 'object' && value !== null ? pairsOf(value as Changes, key) : [[key, String(value)]];
  });
}

/** The order number that the changes name, or a new one. */
export const orderNumberOf = ({ order_id: orderId }: Changes) => textOf(orderId) || newOrderNumber();

/** A field if it is a text: only texts are signed. */
export const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
