import { expect, it } from 'vitest';
import { sharedNext } from './reads.ts';

it('calls while a question is under way share the next one, and a failed one fails its callers only', async () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const ask = sharedNext(() => {
    const question = Promise.withResolvers<number>();
    asked.push(question);
    return question.promise;
  });
  const turn = () => new Promise((go) => setImmediate(go));
  const first = ask();
  await turn();
  expect(asked).toHaveLength(1);
  // Its answer may be older than these calls.
  const second = ask();
  const third = ask();
  await turn();
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(1);
  expect(await first).toBe(1);
  await turn();
  expect(asked).toHaveLength(2);
  const fourth = ask();
  asked[1]?.reject(new Error('lost'));
  await expect(second).rejects.toThrow('lost');
  await expect(third).rejects.toThrow('lost');
  await turn();
  asked[2]?.resolve(3);
  expect(await fourth).toBe(3);
  expect(asked).toHaveLength(3);
});
