// The merchant's server that receives callbacks.
import type { Chance } from './chance.ts';
import type { Answered, Sent } from './network.ts';

/** A callback that was sent or accepted. */
export type Arrival = { order: string; sequence: number; id: string; fields: Record<string, string> };

type Surroundings = {
  chance: Chance;
  note: (who: string, what: string) => void;
  /** Called with every callback that was accepted. */
  onArrival: (arrival: Arrival) => void;
};

/** The merchant's server: it accepts callbacks, fails or does not answer. */
export function newReceiver({ chance, note, onArrival }: Surroundings) {
  return function receive(sent: Sent): Answered | null {
    if (sent.method !== 'POST') return { status: 200, body: '' };
    if (chance.happens('receiver silent')) return null;
    if (chance.happens('receiver fails')) return { status: 500, body: 'no' };
    const arrival = callbackOf(sent);
    onArrival(arrival);
    const { order, sequence, fields } = arrival;
    note('receiver', `${order} ${sequence} ${fields.action ?? fields.type} ${fields.result ?? fields.status}`);
    return { status: 200, body: 'OK' };
  };
}

/** The callback of a request. */
export function callbackOf({ body, headers }: Sent): Arrival {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const { 'webhook-id': id = '', 'florin-sequence': sequence } = headers;
  return { order: fields.order_id ?? '', sequence: Number(sequence), id, fields };
}
