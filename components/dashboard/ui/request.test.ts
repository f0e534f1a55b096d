import { afterEach, expect, test, vi } from 'vitest';
import { isOutcomeUnknown, RequestFailed, request } from './request.ts';

afterEach(() => vi.unstubAllGlobals());

async function failure(answer: () => Promise<Response>, asking: object): Promise<RequestFailed> {
  vi.stubGlobal('fetch', answer);
  const thrown = await request('/payments', asking).catch((error: unknown) => error);
  if (!(thrown instanceof RequestFailed)) throw new Error('the request did not fail');
  return thrown;
}

const broken = async () => {
  throw new TypeError('Failed to fetch');
};
const cutOff = async () =>
  new Response(new ReadableStream({ start: (stream) => stream.error(new Error('cut off')) }), { status: 200 });
const answered = (status: number, body: object) => async () => Response.json(body, { status });
const unknown = /The outcome is unknown/;

test.each([
  ['no connection', broken, 0],
  ['an interrupted response', cutOff, 0],
  ['a response that is not JSON', async () => new Response('<html>', { status: 200 }), 0],
  ['an internal error of Florin', answered(500, { error_message: 'Internal error. Reference: 1' }), 500],
  ['an error before Florin', async () => new Response('Bad gateway', { status: 502 }), 502],
] as const)('%s leaves the outcome unknown', async (_, answer, status) => {
  const thrown = await failure(answer, { body: {} });
  expect(thrown.status).toBe(status);
  expect(thrown.message).toMatch(unknown);
  expect(isOutcomeUnknown(thrown)).toBe(true);
  expect((await failure(answer, {})).message).not.toMatch(unknown);
  expect((await failure(answer, { body: {}, reads: true })).message).not.toMatch(unknown);
});

test('a refusal has a known outcome, and the message of an error is kept', async () => {
  const refused = await failure(answered(409, { error: { message: 'It has changed.' } }), { body: {} });
  expect([refused.message, isOutcomeUnknown(refused)]).toEqual(['It has changed.', false]);
  const failed = await failure(answered(502, { error: { message: 'Asking failed on the way.' } }), { body: {} });
  expect([failed.message, isOutcomeUnknown(failed)]).toEqual(['Asking failed on the way.', true]);
});
