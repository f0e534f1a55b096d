import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown, outlineOf } from './markdown';

const html = (text: string) =>
  renderToStaticMarkup(<Markdown text={text} inserts={{ cards: () => <b>the cards</b> }} />);

describe('the documentation', () => {
  it('gives headings an address', () => {
    expect(html('## 1. Open a `session`')).toContain('<h2 id="1-open-a-session">1. Open a <code>session</code></h2>');
    expect(outlineOf('# A\n\n## B `c`\n\n### D\n\n## E')).toEqual({
      title: 'A',
      sections: [
        { id: 'b-c', title: 'B c' },
        { id: 'e', title: 'E' },
      ],
    });
  });

  it('leads from file to file as from page to page', () => {
    expect(html('[a](sandbox.md) [b](callbacks.md#answer) [c](https://x.example/y.md) [d](#e)')).toBe(
      '<div><p><a href="/docs/sandbox">a</a> <a href="/docs/callbacks#answer">b</a> ' +
        '<a href="https://x.example/y.md">c</a> <a href="#e">d</a></p>\n</div>',
    );
  });

  it('names every table after its heading, each differently', () => {
    const table = '\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n';
    const both = html(`## Fields${table}and${table}`);
    expect(both).toContain('aria-label="Fields"');
    expect(both).toContain('aria-label="Fields, table 2"');
    expect(both).toContain('<th scope="col">a</th>');
  });

  it('has no heading where a table has none', () => {
    expect(html('|   |   |\n| - | - |\n| 1 | 2 |')).not.toContain('<thead>');
    expect(html('|   | b |\n| - | - |\n| 1 | 2 |')).toContain('<td></td>');
  });

  it('puts in what is drawn from the code, and leaves out what is not there', () => {
    expect(html('a\n\n<!-- insert: cards -->\n\nb')).toBe('<div><p>a</p>\n</div><b>the cards</b><div><p>b</p>\n</div>');
    expect(html('<!-- insert: nothing -->')).toBe('');
  });

  it('shows code as it stands', () => {
    expect(html('```sh\necho "<b>"\n```')).toContain('echo &quot;&lt;b&gt;&quot;');
  });
});
