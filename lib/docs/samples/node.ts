// Writes samples for Node 20 and later, without a package. Reversed texts are handled as bytes, because the interface
// reverses bytes and not characters.
import { signedText } from '../../openapi/index.ts';
import * as common from './sample.ts';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
const bareName = /^[A-Za-z_$][\w$]*$/;
const member = (name: string) => (bareName.test(name) ? `.${name}` : `[${quoted(name)}]`);

const literal = common.literalWriter({
  indent: '  ',
  brackets: '{}',
  quoted,
  key: (name) => `${bareName.test(name) ? name : quoted(name)}:`,
});
const termOf = common.termWriter({
  password: 'password',
  known: (name) => name,
  field: (path) => `body${path.split('.').map(member).join('')}`,
  fragment: (path) => `fragment(body${member(path)})`,
});

/** The lines that compute `hash`, and the helpers that they need. */
function signingOf({ signature }: common.Sample): { helpers: string[]; lines: string[] } {
  if (!signature) return { helpers: [], lines: [] };
  const { groups, digest, outer } = signature;
  const inBytes = common.reverses(groups);
  const text = signedText(groups, {
    plus: ' + ',
    groupText: ({ parts, reversed }) => {
      const terms = parts.map(termOf);
      if (reversed) return `reverse(${terms.join(' + ')})`;
      return inBytes ? terms.map((term) => `bytes(${term})`).join(' + ') : terms.join(' + ');
    },
    upper: (joined) => (inBytes ? `upper(${joined})` : `(${joined}).toUpperCase()`),
  });
  const helpers = [
    common.cutsCard(groups) && 'const fragment = (number) => number.slice(0, 6) + number.slice(-4);',
    text.includes('bytes(') && "const bytes = (text) => Buffer.from(text).toString('latin1');",
    inBytes && "const reverse = (text) => Buffer.from(text).reverse().toString('latin1');",
    inBytes && 'const upper = (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());',
  ].filter((line): line is string => line !== false);
  const inner = `createHash('${digest}').update(text${inBytes ? ", 'latin1'" : ''}).digest('hex')`;
  return {
    helpers,
    lines: [
      `const text = ${text};`,
      ...(outer ? [`const inner = ${inner};`] : []),
      `const hash = ${outer ? "createHash('sha1').update(inner).digest('hex')" : inner};`,
    ],
  };
}

/** A module that signs and sends the request and prints the response. */
export function writeNode(sample: common.Sample): common.Written {
  const { method, url, signature } = sample;
  const { isForm, fields, headers, known: values } = common.partsOf(sample);
  const known = values.map(([name, text]) => `const ${name} = ${quoted(text)};`);
  const { helpers, lines } = signingOf(sample);
  const sent = signature ? '{ ...body, hash }' : 'body';
  const password = [
    `const password = process.env.${common.passwordName};`,
    `if (!password) throw new Error('Set ${common.passwordName} first.');`,
  ];
  const program = [
    ...(signature ? ["import { createHash } from 'node:crypto';", '', ...password] : []),
    ...helpers,
    `const body = ${literal(fields)};`,
    ...(signature ? ['', ...known, ...lines] : []),
    '',
    `const response = await fetch(${quoted(url)}, {`,
    `  method: '${method}',`,
    ...(Object.keys(headers).length > 0 ? [`  headers: ${literal(headers, 1)},`] : []),
    isForm ? `  body: new URLSearchParams(${sent}),` : `  body: JSON.stringify(${sent}),`,
    '  signal: AbortSignal.timeout(30_000),',
    '});',
    'console.log(response.status, await response.json());',
    '',
  ];
  return { program: program.join('\n'), signing: [...helpers, ...known, ...lines].join('\n') };
}
