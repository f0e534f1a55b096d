import { expect, it } from 'vitest';
import { rowsOf } from '../../e2e/support/text-table.ts';
import { deviceOf } from './sessions.ts';

it.each(
  rowsOf(`
    Firefox 132, Linux  | Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0
    Chrome 131, Windows | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
    Edge 131, Windows   | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0
    Safari 18, macOS    | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15
    Safari 18, iPhone   | Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1
    Chrome 131, Android | Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36
    Unknown browser     | curl/8.5.0
    Unknown browser     |
  `),
)('%s: %s', (wanted, userAgent) => {
  expect(deviceOf(userAgent || null)).toBe(wanted);
});
