// The sandbox's guarded clock: tests move the time forward instead of sleeping. It moves the time of the whole server,
// so only tests of the project `clock`, which has its own server, may use it.
export type Clock = {
  /** Moves the server's time forward and runs due jobs. */
  advance(seconds: number): Promise<void>;
  /** Moves the time without running due jobs; the server's own loop runs them. */
  move(seconds: number): Promise<void>;
  /** Runs due jobs and waits for them; resolves with the number of rows that they processed. */
  tick(): Promise<number>;
  /** The server's time. */
  now(): Promise<Date>;
};

/** The controls of the server at `baseUrl`. */
export function clockAt(baseUrl: string): Clock {
  const control = async (path: string, body: object) => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: controlHeaders(),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { now: string; rows: number };
  };
  return {
    async advance(seconds) {
      await control('/sandbox/clock', { advance_seconds: seconds });
      await control('/sandbox/tick', {});
    },
    async move(seconds) {
      await control('/sandbox/clock', { advance_seconds: seconds });
    },
    async tick() {
      return (await control('/sandbox/tick', {})).rows;
    },
    async now() {
      return new Date((await control('/sandbox/clock', { advance_seconds: 0 })).now);
    },
  };
}

/** The header that authorises the guarded addresses. */
export function controlHeaders(): Record<string, string> {
  const token = process.env.TEST_CONTROL_TOKEN;
  if (!token) throw new Error('TEST_CONTROL_TOKEN is missing: it authorises the guarded addresses');
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}
