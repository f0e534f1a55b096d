import { brotliCompressSync, constants } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { documentNames } from '../core/openapi';
import { methods } from '../methods/catalog';
import { actionRegistry } from '../protocols/pipeline/action-registry';
import { look } from './look';
import { searchFile, searchIndex } from './search';

let entries: Awaited<ReturnType<typeof searchIndex>> = [];

beforeAll(async () => {
  // Nothing is connected to; the texts have addresses in them.
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  vi.stubEnv('DATABASE_URL', 'postgresql://localhost/none');
  vi.stubEnv('VAULT_KEY', 'a'.repeat(64));
  entries = await searchIndex();
});

const first = (asked: string) => look(entries, asked)[0]?.href;

describe('the search', () => {
  it('leads from every identifier of a method to its page', () => {
    const others = methods.filter(({ id }) => first(id) !== `/docs/methods/${id}`).map(({ id }) => id);
    expect(others).toEqual([]);
  });

  it('finds every operation in the reference', () => {
    for (const { action } of actionRegistry) {
      const found = entries.filter(({ section, href }) => {
        return section === action.replace('/api/v1/', '') && href.startsWith('/docs/reference/');
      });
      expect(found, action).not.toEqual([]);
    }
  });

  it('finds a field in the requests that take it', () => {
    for (const field of ['recurring_first_trans_id', 'order.number', 'mpi_data.eci', 'payee_card_number']) {
      const found = look(entries, field).map(({ href }) => href);
      expect(found, field).toContainEqual(expect.stringContaining('/docs/reference/'));
    }
  });

  it('finds what a callback says', () => {
    const places = documentNames.map((name) => `/docs/reference/${name}#callbacks`);
    const found = look(entries, 'callbacks chargeback_date').map(({ href }) => href);
    expect(found).toEqual(expect.arrayContaining(places.slice(1)));
  });

  it('has an index that is small on the wire', async () => {
    const { text } = await searchFile();
    // As the server compresses it.
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
    expect(brotliCompressSync(text, options).length).toBeLessThan(75_000);
  });

  it('answers while somebody types', () => {
    const started = performance.now();
    for (let turn = 0; turn < 10; turn += 1) look(entries, 'recurring token card hash');
    expect((performance.now() - started) / 10).toBeLessThan(50);
  });
});
