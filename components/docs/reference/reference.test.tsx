import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { documentNames, type Schema } from '../../../lib/core/openapi.ts';
import { partsOf } from '../../../lib/docs/address.ts';
import { methodIntro, methodText, sessionBody } from '../../../lib/docs/method-page.ts';
import { errorAnchor } from '../../../lib/docs/reference.ts';
import {
  anchorOf,
  formLines,
  formName,
  kindOf,
  linesOf,
  operationSlug,
  placedIn,
  requestLinesOf,
} from '../../../lib/docs/schema-description.ts';
import { methods } from '../../../lib/methods/catalog.ts';
import { documentOf } from '../../../lib/openapi/document.ts';
import { MethodPage } from '../doc-body.tsx';
import { Reference, ReferencePart } from './reference.tsx';

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);
const linksOf = (html: string) => [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id as string);

describe.each(documentNames)('the reference of %s', (name) => {
  const document = documentOf(name);
  const index = renderToStaticMarkup(<Reference document={document} file={name} />);
  const htmlOf = (part: string) => renderToStaticMarkup(<ReferencePart document={document} file={name} part={part} />);

  it('lists every operation with a link to its page, and keeps the former ids', () => {
    for (const { operation } of placedIn(document)) {
      expect(idsOf(index)).toContain(anchorOf(operation.name));
      expect(index).toContain(`href="/docs/reference/${name}/${operationSlug(operation.name)}"`);
    }
  });

  it('has a part for every operation and for callbacks and cards', () => {
    const operations = placedIn(document).map(({ operation }) => operationSlug(operation.name));
    const cards = document.components.schemas['parameters.card'] ? ['card-parameters'] : [];
    expect(partsOf(name)).toEqual([...operations, 'callbacks', ...cards]);
  });

  it('has an id for every field of an operation', () => {
    for (const [component, schema] of Object.entries(document.components.schemas)) {
      const operation = /^(.*)\.request$/.exec(component)?.[1];
      if (operation === undefined) continue;
      const ids = idsOf(htmlOf(operationSlug(operation.replaceAll('.', '/'))));
      for (const { path } of linesOf(schema)) expect(ids).toContain(path);
    }
  });

  it.each(partsOf(name))('%s has unique ids and no link to a missing id', (part) => {
    const html = htmlOf(part);
    const ids = new Set(idsOf(html));
    expect(idsOf(html)).toHaveLength(ids.size);
    for (const link of linksOf(html)) expect(ids).toContain(link);
  });

  it('lists the errors of each operation with a link to its row', () => {
    for (const { operation } of placedIn(document)) {
      const html = htmlOf(operationSlug(operation.name)).replaceAll('&#x27;', "'").replaceAll('&quot;', '"');
      for (const { key, code, message } of operation.errors) {
        for (const text of [String(code), message, `#${errorAnchor(key)}"`]) expect(html).toContain(text);
      }
    }
  });

  it('lists required fields first', () => {
    for (const { operation } of placedIn(document)) {
      const schema = document.components.schemas[operation.request.$ref.replace('#/components/schemas/', '')] ?? {};
      const needs = requestLinesOf(schema)
        .filter(({ path }) => !path.includes('.'))
        .map(({ need }) => need);
      expect(needs.lastIndexOf('required'), operation.name).toBeLessThan(
        needs.includes('optional') ? needs.indexOf('optional') : needs.length,
      );
    }
  });
});

describe('a field', () => {
  it('is described in a few words', () => {
    const cases: [Schema, string][] = [
      [{ type: 'string', minLength: 2, maxLength: 32, pattern: '\\S' }, 'text, 2 to 32 characters'],
      [{ type: 'string', minLength: 1, maxLength: 64, pattern: '\\S' }, 'text, up to 64 characters'],
      [{ type: 'string', enum: ['Y', 'N'] }, 'one of Y, N'],
      [{ type: 'string', format: 'uuid' }, 'UUID'],
      [{ const: 'SALE' }, 'SALE'],
      [{ type: 'array', items: { type: 'string', format: 'uri', maxLength: 1024 } }, 'list: http or https address'],
      [{ anyOf: [{ type: 'boolean' }, { enum: ['Y', 'N'] }] }, 'one of true, false, Y, N'],
      [
        { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[0-9]{1,4}$' }], minimum: 1, maximum: 720 },
        'whole number, 1 to 720',
      ],
      [{ type: 'integer', maximum: Number.MAX_SAFE_INTEGER }, 'whole number'],
      [{ anyOf: [{ type: 'string', maxLength: 16 }, {}] }, 'text, up to 16 characters'],
    ];
    for (const [schema, words] of cases) expect(kindOf(schema)).toBe(words);
  });

  it('is written in form notation', () => {
    expect(formName('mpi_data.eci')).toBe('mpi_data[eci]');
    expect(formLines({ a: '1', b: { c: 'x', d: ['y'] } })).toEqual(['a=1', 'b[c]=x', 'b[d][0]=y']);
  });
});

describe('the page of a method', () => {
  const reader = { key: 'key', password: 'secret', digest: 'md5', base: 'https://shop.example', isOwn: false } as const;

  it.each([...methods])('$id is rendered with its button', (method) => {
    const session = JSON.stringify(sessionBody(method, reader));
    const html = renderToStaticMarkup(
      <MethodPage
        id={method.id}
        intro={methodIntro(method)}
        text={methodText(method, reader)}
        session={session}
        shop="/shop"
      />,
    );
    expect(html).toContain('Open in the sandbox');
    const ids = idsOf(html);
    expect(new Set(ids).size).toBe(ids.length);
    for (const link of linksOf(html)) expect(ids).toContain(link);
  });

  it('has no button without a session request', () => {
    expect(renderToStaticMarkup(<MethodPage id="a" intro="# A" text="" session={null} shop="" />)).not.toContain(
      '<form',
    );
  });
});
