import { afterAll, expect, it, vi } from 'vitest';
import * as auth from '../../auth/index.ts';
import * as changes from '../changes.ts';
import type { DashboardRequest } from '../guard.ts';
import { exportCsv } from './csv.ts';

const isSessionOf = vi.spyOn(auth, 'isSessionOf').mockResolvedValue(true);
const logAction = vi.spyOn(changes, 'logAction').mockResolvedValue();
afterAll(() => {
  vi.restoreAllMocks();
});

const refused = 'Other exports are in progress. Try again when they have ended.';

/** An export of a user that has a million pages; `read` counts what was read. */
async function begin(userId: string, pages = 1_000_000, merchantId: string | null = null) {
  const read = vi.fn(async (last: number | undefined) => {
    const row = (last ?? 0) + 1;
    return { rows: [row], more: row < pages };
  });
  const request = {
    ...{
      viewer: { id: userId, role: merchantId === null ? 'administrator' : 'operator', merchantId },
      session: { id: 's' },
      zone: 'UTC',
      now: new Date(),
      query: new URLSearchParams(),
    },
  } as unknown as DashboardRequest;
  const { body } = await exportCsv(request, { subject: 'payments', merchantId: null }, [['row', Number]], read);
  return { read, reader: (body as ReadableStream<Uint8Array>).getReader() };
}

it('a user has four files in transfer, until one ends, is cancelled or fails', async () => {
  const others = [await begin('ana'), await begin('ana')];
  const [ending, cancelled] = [await begin('ana', 2), await begin('ana')];
  await expect(begin('ana')).rejects.toMatchObject({ message: refused, details: { retryAfterSeconds: 30 } });
  expect(logAction).toHaveBeenCalledTimes(4);
  while (!(await ending.reader.read()).done);
  const failing = await begin('ana');
  await expect(begin('ana')).rejects.toThrow(refused);
  await cancelled.reader.cancel();
  await (await begin('ana')).reader.cancel();
  await failing.reader.read();
  isSessionOf.mockResolvedValueOnce(false);
  await expect(failing.reader.read()).rejects.toThrow('ended during an export');
  const more = [await begin('ana'), await begin('ana')];
  logAction.mockRejectedValueOnce(new Error('no log'));
  await more[0]?.reader.cancel();
  await expect(begin('ana')).rejects.toThrow('no log');
  for (const { reader } of [...more, ...others, await begin('ana')]) await reader.cancel();
});

it('a merchant has eight in transfer, and a process twenty', async () => {
  const ofMerchant = (count: number, merchantId: string) =>
    Promise.all(
      Array.from({ length: count }, (_, user) => begin(`user ${user} of ${merchantId}`, 1_000_000, merchantId)),
    );
  const all = await ofMerchant(8, 'one');
  // Its accounts cannot take the places of all merchants.
  await expect(begin('another of one', 1_000_000, 'one')).rejects.toThrow(refused);
  all.push(...(await ofMerchant(8, 'two')), ...(await ofMerchant(4, 'three')));
  await expect(begin('another user')).rejects.toThrow(refused);
  for (const { reader } of all) await reader.cancel();
  await (await begin('another user')).reader.cancel();
});

it('no page is read before the one before it was taken', async () => {
  const { read, reader } = await begin('slow');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(read).not.toHaveBeenCalled();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(read).toHaveBeenCalledTimes(1);
  await reader.cancel();
});
