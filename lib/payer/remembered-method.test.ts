import { expect, it, vi } from 'vitest';
import { memoryCookies, rememberedMethod } from './remembered-method.ts';

const read = (cookie: string) => rememberedMethod(new Request('https://pay.example/pay/T', { headers: { cookie } }));

it('reads the method of the catalogue and nothing else', () => {
  expect(read('a=1; florin_method=papara; b=2')).toBe('papara');
  expect(read('florin_method=%3Cscript%3E')).toBeUndefined();
  expect(read('other=papara')).toBeUndefined();
});

it('is set only by the checkbox, for the payment pages and scripts cannot read it', () => {
  const [cookie = '', ...others] = memoryCookies({ method: 'papara', remember: '1' }, undefined);
  expect(others).toEqual([]);
  expect(cookie).toMatch(/^florin_method=papara; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax/);
  expect(memoryCookies({ method: 'papara', remember: '0' }, undefined)).toEqual([]);
  expect(memoryCookies({ method: 'papara', remember: null }, 'papara')).toEqual([]);
});

it('is sent over https only, where the deployment has it', async () => {
  vi.stubEnv('BASE_URL', 'https://pay.example.com');
  vi.resetModules();
  const fresh = await import('./remembered-method.ts');
  const [cookie = ''] = fresh.memoryCookies({ method: 'papara', remember: '1' }, undefined);
  expect(cookie).toMatch(/^__Host-florin_method=papara; .*; Secure$/);
  const headers = { cookie: '__Host-florin_method=papara' };
  expect(fresh.rememberedMethod(new Request('https://pay.example/pay/T', { headers }))).toBe('papara');
  vi.unstubAllEnvs();
  vi.resetModules();
});

it('is removed when the payer clears the checkbox of the remembered method', () => {
  expect(memoryCookies({ method: 'papara', remember: '0' }, 'papara')[0]).toMatch(/^florin_method=; .*Max-Age=0/);
  expect(memoryCookies({ method: 'card', remember: '0' }, 'papara')).toEqual([]);
});
