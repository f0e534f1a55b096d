// Tests that wait, for a provider or a time limit, more than they work: one worker runs them at once.
import { type Shared, test } from './test.ts';

type Body = (shared: Shared) => Promise<void>;

/**
 * Returns a function that declares a test, within this file or `describe`. All bodies start together; each test waits for
 * its own. Bodies get the worker's fixtures only, and must not affect each other.
 */
export function testsAtOnce(): (title: string, body: Body) => void {
  const bodies: Body[] = [];
  let results: Promise<{ error?: unknown }>[] = [];
  test.describe.configure({ mode: 'default' });

  test.beforeAll(({ florin, shopServer, as, shop, cardAs, cardShop, apmAs, apmShop, s2sAs, provider, clock }) => {
    const shared = { florin, shopServer, as, shop, cardAs, cardShop, apmAs, apmShop, s2sAs, provider, clock };
    results = bodies.map((body) =>
      body(shared).then(
        () => ({}),
        (error: unknown) => ({ error }),
      ),
    );
  });

  return (title, body) => {
    const place = bodies.push(body) - 1;
    test(title, async () => {
      const result = await results[place];
      if (!result || 'error' in result) throw result?.error;
    });
  };
}
