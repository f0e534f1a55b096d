// Parses the forms, links and frames of a page from its HTML, as a browser without script sees them. API tests use it
// to act as the payer over HTTP, so they also prove that the pages work without script.

export type Control = { name: string; value: string; type: string; required: boolean; options?: string[] };
export type Form = {
  action: string;
  method: 'GET' | 'POST';
  target: string | null;
  attributes: Record<string, string>;
  controls: Control[];
};
export type Link = { href: string; text: string; target: string | null };

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Decodes character references. */
export function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, (whole, name: string) => {
    if (name.startsWith('#')) {
      const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return String.fromCodePoint(code);
    }
    return entities[name.toLowerCase()] ?? whole;
  });
}

/** The text content of HTML. */
export function textOf(html: string): string {
  const bare = html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
  return decodeEntities(bare).replace(/\s+/g, ' ').trim();
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', quoted, single, bare] of text.matchAll(
    /([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    attributes[name.toLowerCase()] = decodeEntities(quoted ?? single ?? bare ?? '');
  }
  return attributes;
}

type Tag = { closing: boolean; name: string; attributes: Record<string, string>; end: number };

function* tagsOf(html: string): Generator<Tag> {
  const quiet = html.replace(/<!--[\s\S]*?-->/g, (hidden) => ' '.repeat(hidden.length));
  const pattern = /<(\/?)([a-z][a-z0-9-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
  for (const match of quiet.matchAll(pattern)) {
    yield {
      closing: match[1] === '/',
      name: (match[2] ?? '').toLowerCase(),
      attributes: attributesOf(match[3] ?? ''),
      end: match.index + match[0].length,
    };
  }
}

/** Every form with its successful controls, buttons excluded. */
export function formsOf(html: string, pageUrl: string): Form[] {
  const forms: Form[] = [];
  const byId = new Map<string, Form>();
  const outside: { formId: string; control: Control }[] = [];
  let form: Form | undefined;
  let select: (Control & { options: string[]; chosen: boolean }) | undefined;
  const give = (attributes: Record<string, string>, control: Control) => {
    if ('disabled' in attributes) return;
    if (attributes.form) outside.push({ formId: attributes.form, control });
    else form?.controls.push(control);
  };
  for (const tag of tagsOf(html)) {
    const { attributes } = tag;
    if (tag.name === 'form') {
      if (tag.closing) form = undefined;
      else {
        form = {
          action: new URL(attributes.action || pageUrl, pageUrl).href,
          method: attributes.method?.toUpperCase() === 'POST' ? 'POST' : 'GET',
          target: attributes.target ?? null,
          attributes,
          controls: [],
        };
        forms.push(form);
        if (attributes.id) byId.set(attributes.id, form);
      }
    } else if (tag.name === 'select') {
      if (!tag.closing) {
        select = { ...controlOf(attributes, 'select'), value: '', options: [], chosen: false };
        give(attributes, select);
      } else select = undefined;
    } else if (tag.name === 'option' && !tag.closing && select) {
      const value = attributes.value ?? textOf(html.slice(tag.end, html.indexOf('<', tag.end)));
      if ('selected' in attributes || (select.options.length === 0 && !select.chosen)) select.value = value;
      if ('selected' in attributes) select.chosen = true;
      select.options.push(value);
    } else if (tag.name === 'textarea' && !tag.closing) {
      const control = controlOf(attributes, 'textarea');
      control.value = decodeEntities(html.slice(tag.end, html.indexOf('</textarea', tag.end)));
      give(attributes, control);
    } else if (tag.name === 'input' && attributes.name) {
      const type = attributes.type ?? 'text';
      if (['submit', 'button', 'image', 'reset'].includes(type)) continue;
      if ((type === 'checkbox' || type === 'radio') && !('checked' in attributes)) continue;
      give(attributes, controlOf(attributes, type));
    }
  }
  for (const { formId, control } of outside) byId.get(formId)?.controls.push(control);
  return forms;
}

function controlOf(attributes: Record<string, string>, type: string): Control {
  const fallback = type === 'checkbox' || type === 'radio' ? 'on' : '';
  return { name: attributes.name ?? '', value: attributes.value ?? fallback, type, required: 'required' in attributes };
}

/** Every link with its text. */
export function linksOf(html: string, pageUrl: string): Link[] {
  const links: Link[] = [];
  for (const tag of tagsOf(html)) {
    if (tag.name !== 'a' || tag.closing || !tag.attributes.href) continue;
    links.push({
      href: new URL(tag.attributes.href, pageUrl).href,
      text: textOf(html.slice(tag.end, html.indexOf('</a', tag.end))),
      target: tag.attributes.target ?? null,
    });
  }
  return links;
}

/** The addresses of a page's frames. */
export function framesOf(html: string, pageUrl: string): string[] {
  const frames = [...tagsOf(html)].filter((tag) => tag.name === 'iframe' && !tag.closing && tag.attributes.src);
  return frames.map((tag) => new URL(tag.attributes.src ?? '', pageUrl).href);
}
