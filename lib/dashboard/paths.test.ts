import { describe, expect, it } from 'vitest';
import { safeNext } from './paths.ts';

const home = '/dashboard/payments';

describe('the page after signing in', () => {
  it.each([
    ['/dashboard', '/dashboard'],
    ['/dashboard/payments/1?q=a%20b', '/dashboard/payments/1?q=a%20b'],
    ['/dashboard?x=1', '/dashboard?x=1'],
    ['/dashboard/sign-in?next=/x', home],
    ['/dashboards', home],
    ['/dashboard/../pay/x', home],
    ['/dashboard/..%2f..%2fpay', '/dashboard/..%2f..%2fpay'],
    ['//evil.example/dashboard', home],
    ['/\\evil.example', home],
    ['https://evil.example/dashboard', home],
    ['javascript:alert(1)', home],
    ['/dashboard/\n//evil.example', '/dashboard///evil.example'],
    [`/dashboard/${'x'.repeat(3000)}`, home],
    [undefined, home],
    [['/dashboard'], home],
  ])('%j leads to %s', (wanted, next) => {
    expect(safeNext(wanted)).toBe(next);
  });
});
