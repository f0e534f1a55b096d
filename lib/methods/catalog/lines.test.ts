import { expect, it } from 'vitest';
import { findMethod, methods } from '../catalog.ts';
import { checkOf } from '../formats.ts';
import { credentialLines } from './lines.ts';

const needed = (id: string) =>
  credentialLines(findMethod(id)?.credentials).map(({ name, secret, required }) => ({ name, secret, required }));

it('reads the credentials of a row from its lines', () => {
  expect(needed('trans')).toEqual([
    { name: 'X-API-Key', secret: true, required: true },
    { name: 'X-API-Secret', secret: true, required: true },
  ]);
  expect(needed('ips')).toEqual([]);
  expect(needed('paycash-peru')[0]).toEqual({ name: 'private_key', secret: true, required: true });
});

it('has a format for every credential, and any text by default', () => {
  const formats = methods.flatMap(({ credentials }) => credentialLines(credentials).map(({ format }) => format));
  for (const format of formats) expect(() => checkOf(format), format).not.toThrow();
  expect(credentialLines('name | secret | R | what it is')[0]?.format).toBe('text 1024');
});
