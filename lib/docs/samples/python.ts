// Writes samples for Python 3.8 and later, without a package. Values are encoded before they are reversed, because the
// interface reverses bytes.
import { signedText } from '../../openapi/index.ts';
import * as common from './sample.ts';

const quoted = (text: string) => JSON.stringify(text);
const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
const literal = common.literalWriter({
  indent: '    ',
  brackets: '{}',
  quoted,
  key: (name) => `${quoted(name)}:`,
  other: (value) => words[String(value)] ?? JSON.stringify(value),
});
const member = (name: string) => `[${quoted(name)}]`;
const termOf = common.termWriter({
  password: 'password',
  known: common.snake,
  field: (path) => `body${path.split('.').map(member).join('')}`,
  fragment: (path) => `body${member(path)}[:6] + body${member(path)}[-4:]`,
});

function signingOf({ signature }: common.Sample): string[] {
  if (!signature) return [];
  const { groups, digest, outer } = signature;
  const inBytes = common.reverses(groups);
  const text = signedText(groups, {
    plus: ' + ',
    groupText: ({ parts, reversed }) => {
      const joined = parts.map(termOf).join(' + ');
      if (!inBytes) return joined;
      const simple = parts.length === 1 && parts[0]?.term.kind !== 'fragment';
      const encoded = simple ? `${joined}.encode()` : `(${joined}).encode()`;
      return reversed ? `${encoded}[::-1]` : encoded;
    },
    upper: (joined) => `(${joined}).upper()`,
  });
  const inner = `hashlib.${digest}(text${inBytes ? '' : '.encode()'}).hexdigest()`;
  return [
    `text = ${text}`,
    ...(outer ? [`inner = ${inner}`] : []),
    `digest = ${outer ? 'hashlib.sha1(inner.encode()).hexdigest()' : inner}`,
  ];
}

/** A script that signs and sends the request and prints the response. */
export function writePython(sample: common.Sample): common.Written {
  const { method, url, signature } = sample;
  const { isForm, fields, headers, known: values } = common.partsOf(sample);
  const known = values.map(([name, text]) => `${common.snake(name)} = ${quoted(text)}`);
  const lines = signingOf(sample);
  const sent = signature ? '{**body, "hash": digest}' : 'body';
  const imports = [
    ...(signature ? ['hashlib'] : []),
    'json',
    ...(signature ? ['os'] : []),
    'urllib.error',
    ...(isForm ? ['urllib.parse'] : []),
    'urllib.request',
  ];
  const data = isForm ? `urllib.parse.urlencode(${sent}).encode()` : `json.dumps(${sent}).encode()`;
  const program = [
    ...imports.map((name) => `import ${name}`),
    '',
    ...(signature ? [`password = os.environ["${common.passwordName}"]`] : []),
    `body = ${literal(fields)}`,
    ...(signature ? ['', ...known, ...lines] : []),
    '',
    'request = urllib.request.Request(',
    `    ${quoted(url)},`,
    `    method="${method}",`,
    ...(Object.keys(headers).length > 0 ? [`    headers=${literal(headers, 1)},`] : []),
    `    data=${data},`,
    ')',
    'try:',
    '    response = urllib.request.urlopen(request, timeout=30)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, json.load(response))',
    '',
  ];
  return { program: program.join('\n'), signing: [...known, ...lines].join('\n') };
}
