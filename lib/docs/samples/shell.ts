// Writes samples for bash with curl, and openssl for the digests. Signed values are variables. `rev` and `tr` support
// ASCII only; a script that reverses values has a comment about it.
import { type FormFields, formFields } from '../../http/index.ts';
import { signedText } from '../../openapi/index.ts';
import * as common from './sample.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const nameOf = (path: string) => common.snake(path).replace(/[^a-z0-9_]/gi, '_');

const termOf = common.termWriter({
  password: `$${common.passwordName}`,
  known: (name) => `$${common.snake(name)}`,
  field: (path) => `$${nameOf(path)}`,
  fragment: (path) => `\${${nameOf(path)}:0:6}\${${nameOf(path)}: -4}`,
});

// Braces separate a variable name from a letter that follows.
const braced = (text: string) => text.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`);

function textLine(groups: readonly common.SignedGroup[]): string {
  const text = signedText(groups, {
    plus: '',
    groupText: ({ parts, reversed }) => {
      const joined = braced(parts.map(termOf).join(''));
      return reversed ? `$(printf %s "${joined}" | rev)` : joined;
    },
    upper: (joined) => `$(printf %s "${joined}" | tr a-z A-Z)`,
  });
  return `text="${text}"`;
}

function variables(sample: common.Sample): Map<string, string> {
  const { terms, known } = common.partsOf(sample);
  const fields = terms.flatMap((term) =>
    term.kind === 'field' || term.kind === 'fragment'
      ? [[nameOf(term.path), valueAt(sample.body, term.path)] as const]
      : [],
  );
  return new Map([...fields, ...known.map(([name, text]) => [common.snake(name), text] as const)]);
}

function valueAt(body: common.Sample['body'], path: string): string {
  return String(
    path.split('.').reduce<unknown>((level, name) => (level as common.Sample['body'] | undefined)?.[name], body),
  );
}

/** The body with markers in place of signed values, which the here-document replaces by variables. */
function withVariables({ signature, body }: common.Sample): common.Sample['body'] {
  const marked = structuredClone(body) as Record<string, unknown>;
  for (const { term } of signature?.groups.flatMap(({ parts }) => parts) ?? []) {
    // A variable with one of these characters would break the JSON string.
    if (term.kind !== 'field' || /["\\\n]/.test(valueAt(body, term.path))) continue;
    const names = term.path.split('.');
    const last = names.pop() as string;
    const level = names.reduce((inner, name) => inner[name] as Record<string, unknown>, marked);
    level[last] = `\u0001${nameOf(term.path)}`;
  }
  return marked;
}

function signingOf({ signature }: common.Sample): string[] {
  if (!signature) return [];
  const { groups, digest, outer } = signature;
  const hashed = (name: string, value: string) =>
    `hash=$(printf %s "$${value}" | openssl dgst -${name} -r | cut -d' ' -f1)`;
  return [textLine(groups), hashed(digest, 'text'), ...(outer ? [hashed('sha1', 'hash')] : [])];
}

/** A script for bash that signs and sends the request and prints the response. */
export function writeShell(sample: common.Sample): common.Written {
  const { method, url, format, body, signature, headers = {} } = sample;
  const set = variables(sample);
  const lines = signingOf(sample);
  const headerLines = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  const signing = [...[...set].map(([name, text]) => `${name}=${quoted(text)}`), ...lines];
  const call = [`curl -sS ${method === 'POST' ? '' : `-X ${method} `}${quoted(url)}`, ...headerLines];
  const note =
    signature && common.reverses(signature.groups) ? ['# rev turns characters round: keep to ASCII here.'] : [];
  const intro = [
    '#!/usr/bin/env bash',
    ...(signature ? [`: "\${${common.passwordName}:?is the password of your key}"`] : []),
    ...note,
  ];
  if (format === 'form') {
    const fields = formFields(body as FormFields).map(([name, value]) => {
      const own = nameOf(name);
      return set.has(own) && own === name
        ? `  --data-urlencode "${name}=$${own}"`
        : `  --data-urlencode ${quoted(`${name}=${value}`)}`;
    });
    const all = [...call, ...fields, ...(signature ? ['  --data-urlencode "hash=$hash"'] : [])];
    return { program: [...intro, ...signing, '', all.join(' \\\n'), ''].join('\n'), signing: signing.join('\n') };
  }
  const json = JSON.stringify(signature ? { ...withVariables(sample), hash: '$hash' } : body, null, 2);
  // An unquoted here-document expands these characters; only the variables must be expanded.
  const escaped = json
    .replaceAll('\\', '\\\\')
    .replaceAll('`', '\\`')
    .replaceAll('$', '\\$')
    .replace('"\\$hash"', '"$hash"')
    .replace(/"\\\\u0001(\w+)"/g, (marked, name: string) => (set.has(name) ? `"$${name}"` : marked));
  const open = [...call, "  -H 'content-type: application/json'", '  --data-binary @- <<BODY'].join(' \\\n');
  return { program: [...intro, ...signing, '', open, escaped, 'BODY', ''].join('\n'), signing: signing.join('\n') };
}
