import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown, sectionsOf } from './markdown.tsx';

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

describe('the documentation', () => {
  it('adds an id to each heading', () => {
    expect(html('## 1. Open a `session`')).toContain(
      '<h2 id="1-open-a-session">1. Open a <code>session</code> <a href="#1-open-a-session"',
    );
    expect(sectionsOf('# A\n\n## B `c`\n\n### D\n\n## E')).toEqual([
      { id: 'b-c', title: 'B c' },
      { id: 'e', title: 'E' },
    ]);
  });

  it('numbers the ids of repeated headings', () => {
    const text = '# A\n\n## Figures\n\n### X\n\n## Figures';
    expect([...html(text).matchAll(/id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['a', 'figures', 'x', 'figures-1']);
    expect(sectionsOf(text).map(({ id }) => id)).toEqual(['figures', 'figures-1']);
  });

  it('turns links between files into links between pages', () => {
    const text = '[a](sandbox.md) [b](../reference/errors.md#error-400) [c](https://x.example/y.md) [d](#e)';
    expect(renderToStaticMarkup(<Markdown text={text} from="guide/testing" />)).toBe(
      '<div><p><a href="/docs/guide/sandbox">a</a> <a href="/docs/reference/errors#error-400">b</a> ' +
        '<a href="https://x.example/y.md">c</a> <a href="#e">d</a></p>\n</div>',
    );
  });

  it('names a block by its file or its language', () => {
    expect(html('```php file=FlorinClient.php\n<?php\n```')).toContain('FlorinClient.php');
    expect(html('```csharp\nvar a = 1;\n```')).toContain('C#');
    expect(html('```csharp\nvar a = 1;\n```')).not.toContain('csharp');
  });

  it('labels every table with its heading, and numbers further tables', () => {
    const table = '\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n';
    const both = html(`## Fields${table}and${table}`);
    expect(both).toContain('aria-label="Fields"');
    expect(both).toContain('aria-label="Fields, table 2"');
    expect(both).toContain('<th scope="col">a</th>');
  });

  it('omits the head of a table without header texts', () => {
    expect(html('|   |   |\n| - | - |\n| 1 | 2 |')).not.toContain('<thead>');
    expect(html('|   | b |\n| - | - |\n| 1 | 2 |')).toContain('<td></td>');
  });

  it('renders states, and card numbers with a copy button', () => {
    expect(html('| State |\n| - |\n| `3ds` |')).toContain('3DS');
    expect(html('| Number |\n| - |\n| `4111 1111 1111 1111` |')).toContain('Copy card number 4111 1111 1111 1111');
    expect(html('| Identifier |\n| - |\n| `papara` |')).toContain('<tr id="method-papara">');
  });

  it('combines adjacent blocks with the same tab, and hides the other attributes of the fence', () => {
    const rendered = html('```sh tab=a says=OK\ncurl\n```\n\n```php tab=a\n<?php\n```\n\n```sh tab=b\nother\n```');
    expect(rendered.match(/<fieldset/g)).toHaveLength(2);
    expect(rendered).toContain('>curl</span>');
    expect(rendered).toContain('value="php"');
    expect(rendered).not.toContain('says=OK');
  });

  it('escapes code', () => {
    expect(html('```sh\necho "<b>"\n```')).toContain('echo &quot;&lt;b&gt;&quot;');
  });
});

it('titles a receiver in the shell Shell, and limits the width of field columns', () => {
  const receiver = html(
    '```sh tab=a receives=checkout\nbody=$(cat)\n```\n\n```php tab=a receives=checkout\n<?php\n```',
  );
  expect(receiver).toContain('>Shell</span>');
  expect(receiver).not.toContain('>curl</span>');
  expect(html('| Field | Meaning |\n| --- | --- |\n| `a`, `b` | Two |')).toContain(
    '<th scope="col" class="field">Field</th>',
  );
});
