// The sandbox's guarded clock, which moves what is due into the present instead of letting tests sleep. It moves the
// whole server, so that only the tests of the project `clock`, which has a server to itself, may touch it.
export type Clock = {
  /** Moves the server's time forward and runs due jobs. */
  advance(seconds: number): Promise<void>;
  /** Moves the time, and leaves due jobs to the server's own loop. */
  move(seconds: number): Promise<void>;
  /** Runs due jobs, and waits for them. */
  tick(): Promise<void>;
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
    return (await response.json()) as { now: string };
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
      await control('/sandbox/tick', {});
    },
    async now() {
      return new Date((await control('/sandbox/clock', { advance_seconds: 0 })).now);
    },
  };
}

/** What opens the guarded addresses. */
export function controlHeaders(): Record<string, string> {
  const token = process.env.TEST_CONTROL_TOKEN;
  if (!token) throw new Error('TEST_CONTROL_TOKEN opens the guarded addresses');
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}
