import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { documentNames, type Schema } from '../../../lib/core/openapi';
import { methodIntro, methodText, sessionBody } from '../../../lib/docs/method-page';
import { formLines, formName, kindOf, linesOf } from '../../../lib/docs/reference-words';
import { methods } from '../../../lib/methods/catalog';
import { documentOf } from '../../../lib/openapi/document';
import { MethodPage } from '../method-page';
import { Reference } from './reference';

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);
const linksOf = (html: string) => [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id as string);

describe.each(documentNames)('the reference of %s', (name) => {
  const document = documentOf(name);
  const html = renderToStaticMarkup(<Reference document={document} file={name} />);
  const ids = new Set(idsOf(html));

  it('has every operation and every field of it at an address of its own', () => {
    for (const [component, schema] of Object.entries(document.components.schemas)) {
      const operation = /^(.*)\.request$/.exec(component)?.[1];
      if (operation === undefined) continue;
      expect(ids).toContain(operation);
      for (const { path } of linesOf(schema)) expect(ids).toContain(`${operation}.${path}`);
    }
  });

  it('has no address twice, and no link that leads nowhere', () => {
    expect(idsOf(html)).toHaveLength(ids.size);
    for (const link of linksOf(html)) expect(ids).toContain(link);
  });

  it('has every refusal with its text', () => {
    const text = html.replaceAll('&#x27;', "'").replaceAll('&quot;', '"');
    for (const { code, message, when } of document['x-errors']) {
      for (const told of [String(code), message, when]) expect(text).toContain(told);
    }
  });
});

describe('a field', () => {
  it('is told in a few words', () => {
    const cases: [Schema, string][] = [
      [{ type: 'string', minLength: 2, maxLength: 32, pattern: '\\S' }, 'text, 2 to 32 characters'],
      [{ type: 'string', minLength: 1, maxLength: 64, pattern: '\\S' }, 'text, up to 64 characters'],
      [{ type: 'string', enum: ['Y', 'N'] }, 'one of Y, N'],
      [{ type: 'string', format: 'uuid' }, 'UUID'],
      [{ const: 'SALE' }, 'SALE'],
      [{ type: 'array', items: { type: 'string', format: 'uri', maxLength: 1024 } }, 'list: http or https address'],
      [{ anyOf: [{ type: 'boolean' }, { enum: ['Y', 'N'] }] }, 'true or false, or one of Y, N'],
      [
        { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[0-9]{1,4}$' }], minimum: 1, maximum: 720 },
        'whole number, 1 to 720',
      ],
      [{ type: 'integer', maximum: Number.MAX_SAFE_INTEGER }, 'whole number'],
      [{ anyOf: [{ type: 'string', maxLength: 16 }, {}] }, 'text, up to 16 characters'],
    ];
    for (const [schema, words] of cases) expect(kindOf(schema)).toBe(words);
  });

  it('is written as a form has it', () => {
    expect(formName('mpi_data.eci')).toBe('mpi_data[eci]');
    expect(formLines({ a: '1', b: { c: 'x', d: ['y'] } })).toEqual(['a=1', 'b[c]=x', 'b[d][0]=y']);
  });
});

describe('the page of a method', () => {
  const reader = { key: 'key', password: 'secret', digest: 'md5', base: 'https://shop.example', isOwn: false } as const;

  it.each([...methods])('$id is drawn, with its button', (method) => {
    const session = JSON.stringify(sessionBody(method, reader));
    const html = renderToStaticMarkup(
      <MethodPage id={method.id} intro={methodIntro(method)} text={methodText(method, reader)} session={session} />,
    );
    expect(html).toContain('Open in the sandbox');
    const ids = idsOf(html);
    expect(new Set(ids).size).toBe(ids.length);
    for (const link of linksOf(html)) expect(ids).toContain(link);
  });

  it('has no button where there is no sandbox', () => {
    expect(renderToStaticMarkup(<MethodPage id="a" intro="# A" text="" session={null} />)).not.toContain('<form');
  });
});
