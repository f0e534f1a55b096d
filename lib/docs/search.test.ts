import { brotliCompressSync, constants } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { documentNames } from '../core/openapi.ts';
import { methods } from '../methods/catalog.ts';
import { actionRegistry } from '../protocols/pipeline/action-registry.ts';
import { searchIndex } from './search.ts';
import { searchEntries } from './search-ranking.ts';

let entries: ReturnType<typeof searchIndex> = [];

beforeAll(async () => {
  // The texts contain the base URL; the test does not connect to the database.
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  vi.stubEnv('DATABASE_URL', 'postgresql://localhost/none');
  vi.stubEnv('VAULT_KEY', 'a'.repeat(64));
  entries = searchIndex();
});

const first = (query: string) => searchEntries(entries, query)[0]?.href;

describe('the search', () => {
  it('finds the page of every method by its identifier', () => {
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
      const found = searchEntries(entries, field).map(({ href }) => href);
      expect(found, field).toContainEqual(expect.stringContaining('/docs/reference/'));
    }
  });

  it('finds the fields of a callback', () => {
    const places = documentNames.map((name) => `/docs/reference/${name}/callbacks`);
    const found = searchEntries(entries, 'callbacks chargeback_date').map(({ href }) => href);
    expect(found).toEqual(expect.arrayContaining(places.slice(1)));
  });

  // Typical queries with the page or section that must come first.
  it.each([
    ['webhook', 'guide/callbacks'],
    ['webhok', 'guide/callbacks'],
    ['ipn', 'guide/callbacks'],
    ['subscription', 'guide/recurring'],
    ['cancel subscription', 'guide/recurring#cancel-a-subscription'],
    ['backup', 'operations/backup'],
    ['apple pay', 'guide/wallets'],
    ['sandbox', 'guide/sandbox'],
    ['docker', 'operations/compose'],
    ['refund', 'guide/refunds'],
    ['refnud', 'guide/refunds'],
    ['3ds', 'guide/3d-secure'],
    ['test cards', 'reference/test-cards'],
    ['test card', 'reference/test-cards'],
    ['error 204005', 'reference/errors#error-204005'],
    ['204005', 'reference/errors#error-204005'],
    ['#204005', 'reference/errors#error-204005'],
    ['duplicate payment', 'reference/errors#error-100000-duplicate-payment'],
    ['signature mismatch', 'reference/errors#error-100000'],
    ['hash is not valid', 'reference/errors#error-100000'],
    ['CORS', 'guide/hosted-fields#cors'],
    ['iframe', 'guide/hosted-checkout#show-the-payment-page-in-an-iframe'],
    ['idempotency', 'guide/idempotency'],
    ['timeout', 'guide/idempotency'],
    ['nginx', 'operations/install'],
    ['upgrade', 'operations/upgrade'],
    ['rollback', 'operations/upgrade'],
    ['payout', 'guide/payouts'],
    ['chargeback', 'dashboard/payments'],
    ['decline reasons', 'reference/decline-reasons'],
    ['environment variables', 'reference/environment'],
    ['prometheus', 'operations/monitoring'],
    ['rate limit', 'operations/limits'],
    ['pci', 'guide/pci'],
    ['php', 'guide/php-client'],
    ['java', 'guide/other-languages'],
    ['golang', 'guide/other-languages'],
    ['c#', 'guide/other-languages'],
    ['glossary', 'reference/glossary'],
    ['curl', 'guide/quickstart'],
    ['payment link', 'guide/hosted-checkout'],
    ['metadata', 'guide/callbacks'],
    ['webhook secret', 'guide/callbacks#webhook-signature'],
    ['gdpr', 'operations/data-retention'],
    ['openapi', 'reference/api#openapi-documents'],
  ])('finds for %s the page %s', (query, expected) => {
    const [found] = searchEntries(entries, query);
    // A section of the expected page is accepted.
    const isPage = !expected.includes('#');
    expect(isPage ? found?.href.split('#')[0] : found?.href).toBe(`/docs/${expected}`);
  });

  it('finds nothing for unknown words', () => {
    expect(searchEntries(entries, 'qwertzuiop')).toEqual([]);
  });

  it('has an index of less than 90 KB compressed', async () => {
    const text = JSON.stringify(searchIndex());
    // The compression level of the server.
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
    expect(brotliCompressSync(text, options).length).toBeLessThan(90_000);
  });

  it('runs in less than 60 ms', () => {
    const started = performance.now();
    for (let turn = 0; turn < 10; turn += 1) searchEntries(entries, 'recurring token card hash');
    expect((performance.now() - started) / 10).toBeLessThan(60);
  });
});
