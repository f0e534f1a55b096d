import { describe, expect, it } from 'vitest';
import { methods } from '../methods/catalog.ts';
import { sessionSchema } from '../protocols/checkout/session-fields.ts';
import { creditSchema, debitSchema, saleSchema } from '../protocols/s2s-apm/fields.ts';
import { apmBody, methodIntro, methodText, sessionBody } from './method-page.ts';

const reader = { key: 'key', password: 'secret', digest: 'md5', base: 'https://shop.example', isOwn: false } as const;

describe.each([...methods])('the page of $id', (method) => {
  it('has its name, and requests in four languages', () => {
    expect(methodIntro(method)).toContain(`# ${method.name}\n\n\`${method.id}\``);
    const fences = methodText(method, reader).match(/^```(sh|js|php|python) /gm) ?? [];
    expect(fences).toHaveLength(method.actions.length > 0 ? 8 : 4);
  });

  it('has requests that the schemas of the protocols accept', () => {
    const session = sessionSchema.safeParse({ ...sessionBody(method, reader), hash: '0' });
    expect(session.error?.issues).toBeUndefined();
    const apm = apmBody(method, reader);
    if (!apm) return;
    const schema = { SALE: saleSchema(), DEBIT2VIRTUAL: debitSchema() }[apm.action] ?? creditSchema;
    expect(schema.safeParse({ ...apm.body, hash: '0' }).error?.issues).toBeUndefined();
  });
});
