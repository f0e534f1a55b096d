/** Requests to key management services, and for the credentials of a role: with a timeout, repeated a few times, never redirected. */
import { setTimeout as sleep } from 'node:timers/promises';

const timeoutMilliseconds = 2_000;
/** The pauses before the repetitions. */
const pausesMilliseconds = [200, 800];

/** A key management service that did not do what was asked; the message is for the operator and has no secret. */
export class KmsError extends Error {}

/** The answer of a service: status, text, and parsed JSON or null. */
export type KmsAnswer = { status: number; text: string; body: unknown };

/**
 * Sends the request of `build`, built again for each repetition: signatures have a time, and tokens are replaced. Errors of the
 * network, timeouts, and answers that `isTemporary` names are repeated; after the last one {@link KmsError} is thrown.
 */
export async function askKms(
  name: string,
  build: () => Promise<Request>,
  isTemporary: (answer: KmsAnswer) => boolean,
): Promise<KmsAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const pause = pausesMilliseconds[attempt];
    const answer = await send(await build()).catch((err: Error) => causeOf(err));
    if (typeof answer !== 'string' && !isTemporary(answer)) return answer;
    const reason = typeof answer === 'string' ? answer : `status ${answer.status}`;
    if (pause === undefined) throw new KmsError(`${name} does not answer: ${reason}.`);
    await sleep(pause);
  }
}

async function send(request: Request): Promise<KmsAnswer> {
  const response = await fetch(request, { redirect: 'error', signal: AbortSignal.timeout(timeoutMilliseconds) });
  const text = await response.text();
  try {
    return { status: response.status, text, body: JSON.parse(text) };
  } catch {
    return { status: response.status, text, body: null };
  }
}

/** The system's word for an error of the network, such as ECONNREFUSED. */
function causeOf({ name, cause }: Error): string {
  return (cause as { code?: string } | undefined)?.code ?? name;
}
