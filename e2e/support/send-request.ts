// How a merchant's server sends a request: a busy answer means that no work has begun, so the request is sent again
// (docs/guide/idempotency.md).

const attempts = 30;
const busy = 'The service is busy.';

export type Received = { status: number; text: string; headers: Headers };

/** Sends the request, again after `Retry-After` while the server answers that it is busy. */
export async function sendRequest(url: string, init: RequestInit): Promise<Received> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const received = { status: response.status, text: await response.text(), headers: response.headers };
    if (received.status !== 503 || !received.text.includes(busy) || attempt === attempts) return received;
    const seconds = Number(received.headers.get('retry-after'));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
