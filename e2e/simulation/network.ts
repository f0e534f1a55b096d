// The network of a history: every request is delivered after a delay, perhaps never, perhaps twice, and so is its answer.
// The sender gives up by its own timeout.
import type { Chance } from './chance.ts';
import type { Owner, Scheduler } from './scheduler.ts';

export type Sent = { method: string; url: string; headers: Record<string, string>; body: string };
export type Answered = { status: number; headers?: Record<string, string>; body: string };

/** A server; null: it never answers. */
export type Server = (sent: Sent) => Answered | null | Promise<Answered | null>;

export type Network = {
  scheduler: Scheduler;
  chance: Chance;
  serverOf: (url: string) => Server | undefined;
  /** Whether the process reaches nothing. */
  isCutOff: (owner: Owner) => boolean;
  /** Called with every request before its fate is known. */
  onRequest: (sent: Sent) => void;
};

type Options = { method?: string; headers?: Record<string, string>; body?: string; signal?: AbortSignal };

const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

/** The package `undici` for a process. */
export function undiciOf(owner: Owner, network: Network): object {
  const { scheduler, chance } = network;

  function request(url: string, { method = 'GET', headers = {}, body = '', signal }: Options = {}) {
    const sent: Sent = { method, url: String(url), headers, body: String(body ?? '') };
    network.onRequest(sent);
    return new Promise((done, fail) => {
      signal?.addEventListener('abort', () => fail(signal.reason));
      const later = (what: string, run: () => void) =>
        scheduler.after(
          chance.happens('answer slow') ? chance.longWait('answer') : chance.between('answer', 2, 200),
          owner,
          what,
          run,
        );
      const server = network.serverOf(sent.url);
      if (!server || network.isCutOff(owner) || chance.happens('connection refused')) {
        later('no connection', () => fail(failure('ECONNREFUSED', { syscall: 'connect' })));
        return;
      }
      if (chance.happens('request lost')) return;
      if (chance.happens('reset before the provider has it')) {
        later('reset', () => fail(failure('ECONNRESET')));
        return;
      }
      // The request is on its way: it arrives even if its sender dies.
      const [least, most] = chance.happens('request late') ? [20_000, 600_000] : [2, 100];
      const arrival = chance.between('request', least, most);
      if (chance.happens('request twice')) {
        const again = chance.between('request', 2, 600_000);
        scheduler.after(again, null, `arrives again ${method} ${sent.url}`, () => void server(sent));
      }
      scheduler.after(arrival, null, `arrives ${method} ${sent.url}`, async () => {
        const answer = await server(sent);
        if (answer === null || chance.happens('answer lost')) return;
        if (chance.happens('reset after the provider has it')) later('reset', () => fail(failure('ECONNRESET')));
        else later('answer', () => done(responseOf(answer)));
      });
    });
  }

  class Agent {
    async close() {}
    async destroy() {}
  }
  return { request, Agent, default: { request, Agent } };
}

function responseOf({ status, headers = {}, body }: Answered) {
  async function* chunks() {
    yield Buffer.from(body);
  }
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Object.assign(chunks(), {
      text: async () => body,
      json: async () => JSON.parse(body),
      dump: async () => {},
      destroy: () => {},
    }),
  };
}
