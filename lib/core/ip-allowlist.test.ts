import { describe, expect, it } from 'vitest';
import { isAllowedAddress } from './ip-allowlist.ts';

const rows = `
                              | 198.51.100.7          | yes
  203.0.113.7                 | 203.0.113.7           | yes
  203.0.113.7                 | 203.0.113.8           | no
  203.0.113.7                 | ::ffff:203.0.113.7    | yes
  203.0.113.0/24              | 203.0.113.255         | yes
  203.0.113.0/24              | 203.0.114.0           | no
  203.0.113.0/24              | ::ffff:203.0.113.9    | yes
  198.51.100.1,203.0.113.0/31 | 203.0.113.1           | yes
  198.51.100.1,203.0.113.0/31 | 203.0.113.2           | no
  2001:db8::/32               | 2001:db8:1::9         | yes
  2001:db8::/32               | 2001:db9::1           | no
  2001:db8::1                 | 2001:DB8:0:0:0:0:0:1  | yes
  0.0.0.0/0                   | 2001:db8::1           | no
  ::/0                        | 198.51.100.7          | no
  shop.example                | 198.51.100.7          | no
  203.0.113.0/99              | 203.0.113.1           | no
  203.0.113.7                 | unknown               | no`;

describe('the IP allowlist', () => {
  const cells = rows
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string]);
  it.each(cells)('[%s] %s: %s', (list, address, verdict) => {
    const entries = list.split(',').filter((entry) => entry !== '');
    expect(isAllowedAddress(entries, address) ? 'yes' : 'no').toBe(verdict);
  });
});
