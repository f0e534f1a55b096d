import { expect, it } from 'vitest';
import { html, plainPage } from './html.ts';

it('a page with an inline style has a nonce of 128 random bits in its policy', () => {
  const page = () => plainPage({ title: 'A', style: 'p{}', body: html`<p>a</p>`, policy: [] });
  const policies = [page(), page()].map(({ headers }) => String(headers['content-security-policy']));
  for (const policy of policies) expect(policy).toMatch(/style-src 'nonce-[\w-]{22}';/);
  expect(policies[0]).not.toBe(policies[1]);
});
