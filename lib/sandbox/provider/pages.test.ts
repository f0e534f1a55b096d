import { describe, expect, it } from 'vitest';
import { bodyTextOf } from '../../http/index.ts';
import { answeredPage, approvalPage, challengePage } from './bank.ts';
import type { Operation } from './operation.ts';

const operation = {
  id: 'e51e16ea-992c-48c1-878a-756260d4646b',
  descriptor: '<script>alert("1")</script> & Söhne',
  amountMinor: 8450n,
  currency: 'EUR',
  cardMask: '411111****1111',
  scenario: { outcome: 'settled', hold: false, code: true },
} as Operation;

describe('a page of the bank or the wallet', () => {
  it.each([
    ['challenge', challengePage(operation, false)],
    ['approval', approvalPage(operation)],
  ])('%s shows merchant, amount and masked card, escaped', async (_name, page) => {
    const text = await bodyTextOf(page);
    expect(text).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; Söhne');
    expect(text).not.toContain('<script');
    expect(text).toContain('EUR 84.50');
    expect(text).toContain('**** 1111');
    expect(text).not.toContain('411111');
  });

  it('can be framed anywhere, runs no script and is not cached', () => {
    const { headers } = challengePage(operation, false);
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('frame-ancestors *');
    expect(policy).not.toContain('script-src');
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });

  it('asks for a code only where the card wants one, and says when it was wrong', async () => {
    const asking = await bodyTextOf(challengePage(operation, false));
    const wrong = await bodyTextOf(challengePage(operation, true));
    const plain = await bodyTextOf(
      challengePage({ ...operation, scenario: { outcome: 'settled', hold: false } }, false),
    );
    expect(asking).toContain('name="code"');
    expect(asking).not.toContain('role="alert"');
    expect(wrong).toContain('role="alert"');
    expect(wrong).toContain('aria-invalid="true"');
    expect(plain).not.toContain('name="code"');
    expect(plain).toContain('>Confirm</button>');
  });

  it('leads back by an escaped link', async () => {
    const text = await bodyTextOf(answeredPage('wallet', 'https://pay.example/return/1?a="b"&c=d'));
    expect(text).toContain('href="https://pay.example/return/1?a=&#34;b&#34;&#38;c=d"');
  });
});
