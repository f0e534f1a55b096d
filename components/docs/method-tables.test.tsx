import { readdirSync, readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { inserts } from '../../app/(site)/docs/content';
import { methods } from '../../lib/methods/catalog';
import { CredentialTable, MethodTable, OwnFieldTable, ParameterTable } from './method-tables';

describe('the documentation of payment methods', () => {
  const table = renderToStaticMarkup(<MethodTable />);

  it('has a line for every method', () => {
    const rows = [...table.matchAll(/<tr id="method-([^"]+)">/g)].map(([, id]) => id);
    expect(rows).toEqual(methods.map(({ id }) => id).sort());
  });

  it('marks what is decided by us', () => {
    const [ours = '', shown = ''] = ['blik', 'papara'].map(
      (id) => new RegExp(`<tr id="method-${id}">.*?</tr>`).exec(table)?.[0],
    );
    expect(ours).toContain('our decision');
    expect(shown).not.toContain('our decision');
  });

  it('tells names, needs and formats of parameters', () => {
    const html = renderToStaticMarkup(<ParameterTable />)
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    expect(html).toContain('tabby buyer_loyalty_level required digits, up to 9, 0 when absent');
    expect(html).toContain('kora mobile_money_operator asked one of mtn-cm, orange-cm XAF');
    expect(html).toContain('pyk-bkmexpress pyk-paparawallet pyk-promptpay pyk-truemoney orgCode');
  });

  it('tells demands on other fields, and settings', () => {
    expect(renderToStaticMarkup(<OwnFieldTable />)).toContain('phone number of BJ');
    const settings = renderToStaticMarkup(<CredentialTable />);
    expect(settings).toMatch(/trans<.*X-API-Secret<.*required<.*secret</);
    expect(settings).toMatch(/paycash-peru<.*private_key<.*gateway_id</);
  });
});

describe('a page of the documentation', () => {
  const folder = new URL('../../docs/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  it.each(files)('%s asks only for tables that exist', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const asked = [...text.matchAll(/<!--\s*insert:\s*([\w-]+)\s*-->/g)].map(([, insert]) => insert as string);
    expect(asked.filter((insert) => !inserts[insert])).toEqual([]);
  });
});
