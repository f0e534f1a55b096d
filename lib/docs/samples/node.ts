// Writes samples for Node 20 and later, without a package. Reversed texts are handled as bytes, because the interface
// reverses bytes and not characters.
import {
  type Body,
  cutsCard,
  formFields,
  knownTerms,
  literalWriter,
  passwordName,
  reverses,
  runsOf,
  type Sample,
  type SignedGroup,
  termWriter,
  type Written,
} from './sample.ts';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
const bareName = /^[A-Za-z_$][\w$]*$/;
const member = (name: string) => (bareName.test(name) ? `.${name}` : `[${quoted(name)}]`);

const literal = literalWriter({
  ...{ indent: '  ', brackets: '{}', quoted },
  key: (name) => `${bareName.test(name) ? name : quoted(name)}:`,
});
const termOf = termWriter({
  password: 'password',
  known: (name) => name,
  field: (path) => `body${path.split('.').map(member).join('')}`,
  fragment: (path) => `fragment(body${member(path)})`,
});

function groupOf({ terms, reversed }: SignedGroup, inBytes: boolean): string {
  const joined = terms.map(termOf).join(' + ');
  if (reversed) return `reverse(${joined})`;
  return inBytes ? terms.map((term) => `bytes(${termOf(term)})`).join(' + ') : joined;
}

/** The lines that compute `hash`, and the helpers that they need. */
function signingOf({ signature }: Sample): { helpers: string[]; lines: string[] } {
  if (!signature) return { helpers: [], lines: [] };
  const { groups, digest, outer } = signature;
  const inBytes = reverses(groups);
  const runs = runsOf(groups).map((run) => {
    const joined = run.groups.map((group) => groupOf(group, inBytes)).join(' + ');
    return run.upper ? (inBytes ? `upper(${joined})` : `(${joined}).toUpperCase()`) : joined;
  });
  const helpers = [
    cutsCard(groups) && 'const fragment = (number) => number.slice(0, 6) + number.slice(-4);',
    inBytes && "const bytes = (text) => Buffer.from(text).toString('latin1');",
    inBytes && "const reverse = (text) => Buffer.from(text).reverse().toString('latin1');",
    inBytes && 'const upper = (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());',
  ].filter((line): line is string => line !== false);
  const encoding = inBytes ? ", 'latin1'" : '';
  const inner = `createHash('${digest}').update(text${encoding}).digest('hex')`;
  const used = helpers.filter(
    (line) => line.startsWith('const bytes') === false || runs.some((run) => run.includes('bytes(')),
  );
  return {
    helpers: used,
    lines: [
      `const text = ${runs.join(' + ')};`,
      ...(outer ? [`const inner = ${inner};`] : []),
      `const hash = ${outer ? "createHash('sha1').update(inner).digest('hex')" : inner};`,
    ],
  };
}

/** A module that signs and sends the request and prints the response. */
export function writeNode(sample: Sample): Written {
  const { method, url, format, body, signature, headers = {} } = sample;
  const known = knownTerms(signature?.groups ?? []).map(({ name, text }) => `const ${name} = ${quoted(text)};`);
  const { helpers, lines } = signingOf(sample);
  const sent = signature ? '{ ...body, hash }' : 'body';
  const form = format === 'form';
  const fields: Body = form ? Object.fromEntries(formFields(body)) : body;
  const type = form ? {} : { 'content-type': 'application/json' };
  const headerLine =
    Object.keys({ ...type, ...headers }).length > 0 ? [`  headers: ${literal({ ...type, ...headers }, 1)},`] : [];
  const program = [
    ...(signature ? ["import { createHash } from 'node:crypto';", ''] : []),
    ...(signature
      ? [
          `const password = process.env.${passwordName};`,
          `if (!password) throw new Error('Set ${passwordName} first.');`,
        ]
      : []),
    ...helpers,
    `const body = ${literal(fields)};`,
    ...(signature ? ['', ...known, ...lines] : []),
    '',
    `const response = await fetch(${quoted(url)}, {`,
    `  method: '${method}',`,
    ...headerLine,
    form ? `  body: new URLSearchParams(${sent}),` : `  body: JSON.stringify(${sent}),`,
    '  signal: AbortSignal.timeout(30_000),',
    '});',
    'console.log(response.status, await response.json());',
    '',
  ];
  return { program: program.join('\n'), signing: [...helpers, ...known, ...lines].join('\n') };
}
