import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errors } from '../core/errors.ts';
import { methods } from '../methods/catalog.ts';
import { operations } from './example-requests.ts';
import { docPages } from './pages.ts';
import { tables } from './tables.ts';

const table = (name: string) => tables[name]?.() ?? '';

describe('the tables of payment methods', () => {
  it('have a row for every method', () => {
    const rows = [...table('methods').matchAll(/^\| \[?`([^`]+)`/gm)].map(([, id]) => id);
    expect(rows).toEqual(methods.map(({ id }) => id).sort());
  });

  it('mark the methods that Florin defines', () => {
    const [defined = '', specified = ''] = ['blik', 'papara'].map(
      (id) => new RegExp(`^\\| \\[?\`${id}\`.*$`, 'm').exec(table('methods'))?.[0],
    );
    expect(defined).toContain('\\*');
    expect(specified).not.toContain('\\*');
  });

  it('have names, needs and formats of parameters', () => {
    const text = table('method-parameters').replace(/[`|]/g, '').replace(/\s+/g, ' ');
    expect(text).toContain('tabby buyer_loyalty_level required digits, up to 9, 0 when absent');
    expect(text).toContain('kora mobile_money_operator asked one of mtn-cm, orange-cm XAF');
    expect(text).toContain('pyk-bkmexpress pyk-paparawallet pyk-promptpay pyk-truemoney orgCode');
  });

  it('have the rules for other fields, and settings', () => {
    expect(table('method-fields')).toContain('phone number of BJ');
    expect(table('method-credentials')).toMatch(/`trans` \| `X-API-Secret` \| required \| secret/);
  });
});

describe('the table of signatures', () => {
  it('has the formulas of the contract', () => {
    expect(table('signatures-checkout')).toContain(
      '`sha1(md5(upper(order number . amount . currency . description . password)))`',
    );
    expect(table('signatures-card')).toContain(
      '`md5(upper(reverse(payer_email) . password . trans_id . reverse(card)))`',
    );
    expect(table('signatures-apm')).toContain('`md5(upper(reverse(trans_id)) . password)`');
  });

  it('has the published example', () => {
    expect(table('vectors-card')).toContain('2702ae0c4f99506dc29b5615ba9ee3c0');
  });
});

it('the table of errors has every code', () => {
  for (const { code, message } of Object.values(errors)) {
    expect(table('errors')).toContain(`[\`${code}\`](#error-${code}`);
    expect(table('errors')).toContain(message.replaceAll('|', '\\|'));
  }
});

it('the table of settings has a sentence for every variable', () => {
  const rows = table('settings').split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => row.endsWith('|  |'))).toEqual([]);
});

describe('a page of the documentation', () => {
  const folder = new URL('../../docs/templates/', import.meta.url);
  const files = docPages.map(({ slug }) => `${slug}.md`).filter((name) => existsSync(new URL(name, folder)));
  it.each(files)('%s has only directives that exist', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const directives = [...text.matchAll(/<!-- (\w+): ([\w-]+) -->/g)];
    const missing = directives.filter(([, kind, name = '']) => {
      if (kind === 'receiver') return !['checkout', 's2s-card', 's2s-apm'].includes(name);
      return kind === 'insert' ? !tables[name] : !operations[name];
    });
    expect(missing.map(([whole]) => whole)).toEqual([]);
  });

  it('shows every operation on some page', () => {
    const all = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
    expect(Object.keys(operations).filter((name) => !all.includes(`<!-- example: ${name} -->`))).toEqual([]);
  });
});
