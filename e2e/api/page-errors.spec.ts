// Errors of Next's pages in the log of a separate server, for which a view of the database fails.
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';
import { serverSettings } from '../support/vault.ts';

const schema = 'failing_view';
const request = 'page-error-of-the-test';

test('an error of a page is one scrubbed line of the log, with the id of its request', async ({ florin }) => {
  // Starts a separate server.
  test.slow();
  await sql(`create schema ${schema}
    create view audit_entries as select * from public.audit_entries where ('card 4111 1111 1111 1111' || action)::int > 0`);
  const url = new URL(String(serverSettings().DATABASE_URL));
  url.searchParams.set('options', `-c search_path=${schema},public`);
  const server = await startKillableServer({ DATABASE_URL: url.href, LOG_LEVEL: 'warn' });
  try {
    const { cookie } = await visitorAs(florin, 'administrator');
    const answer = await fetch(`${server.url}/dashboard/audit-log`, { headers: { cookie, 'x-request-id': request } });
    await answer.text();
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([500, request]);
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes('invalid input syntax'));
    await expect.poll(() => lines().length).toBeGreaterThan(0);
    // The line of the answer comes last.
    await expect.poll(() => server.output()).toContain('a page was answered with an error');
    expect(lines()).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({
      ...{ level: 50, msg: 'a page failed', request, page: '/dashboard/audit-log' },
      err: { message: expect.stringContaining('card'), stack: expect.stringContaining('at ') },
    });
    expect(server.output()).not.toMatch(/1111 1111|11111111/);
  } finally {
    await server.kill();
    await sql(`drop schema ${schema} cascade`);
  }
});
