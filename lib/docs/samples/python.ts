// Writes samples for Python 3.8 and later, without a package. Values are encoded before they are reversed, because the
// interface reverses bytes.
import {
  formFields,
  knownTerms,
  literalWriter,
  passwordName,
  reverses,
  runsOf,
  type Sample,
  type SignedGroup,
  snake,
  termWriter,
  type Written,
} from './sample.ts';

const quoted = (text: string) => JSON.stringify(text);
const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
const literal = literalWriter({
  ...{ indent: '    ', brackets: '{}', quoted, key: (name) => `${quoted(name)}:` },
  other: (value) => words[String(value)] ?? JSON.stringify(value),
});
const member = (name: string) => `[${quoted(name)}]`;
const termOf = termWriter({
  password: 'password',
  known: snake,
  field: (path) => `body${path.split('.').map(member).join('')}`,
  fragment: (path) => `body${member(path)}[:6] + body${member(path)}[-4:]`,
});

function groupOf({ terms, reversed }: SignedGroup, inBytes: boolean): string {
  const joined = terms.map(termOf).join(' + ');
  if (!inBytes) return joined;
  const simple = terms.length === 1 && terms[0]?.term.kind !== 'fragment';
  const encoded = simple ? `${joined}.encode()` : `(${joined}).encode()`;
  return reversed ? `${encoded}[::-1]` : encoded;
}

function signingOf({ signature }: Sample): string[] {
  if (!signature) return [];
  const { groups, digest, outer } = signature;
  const inBytes = reverses(groups);
  const text = runsOf(groups)
    .map((run) => {
      const joined = run.groups.map((group) => groupOf(group, inBytes)).join(' + ');
      return run.upper ? `(${joined}).upper()` : joined;
    })
    .join(' + ');
  const inner = `hashlib.${digest}(text${inBytes ? '' : '.encode()'}).hexdigest()`;
  return [
    `text = ${text}`,
    ...(outer ? [`inner = ${inner}`] : []),
    `digest = ${outer ? 'hashlib.sha1(inner.encode()).hexdigest()' : inner}`,
  ];
}

/** A script that signs and sends the request and prints the response. */
export function writePython(sample: Sample): Written {
  const { method, url, format, body, signature, headers = {} } = sample;
  const known = knownTerms(signature?.groups ?? []).map(({ name, text }) => `${snake(name)} = ${quoted(text)}`);
  const lines = signingOf(sample);
  const form = format === 'form';
  const fields = form ? Object.fromEntries(formFields(body)) : body;
  const sent = signature ? '{**body, "hash": digest}' : 'body';
  const all = form ? headers : { 'content-type': 'application/json', ...headers };
  const imports = [
    ...(signature ? ['hashlib'] : []),
    'json',
    ...(signature ? ['os'] : []),
    'urllib.error',
    ...(form ? ['urllib.parse'] : []),
    'urllib.request',
  ];
  const data = form ? `urllib.parse.urlencode(${sent}).encode()` : `json.dumps(${sent}).encode()`;
  const program = [
    ...imports.map((name) => `import ${name}`),
    '',
    ...(signature ? [`password = os.environ["${passwordName}"]`] : []),
    `body = ${literal(fields)}`,
    ...(signature ? ['', ...known, ...lines] : []),
    '',
    'request = urllib.request.Request(',
    `    ${quoted(url)},`,
    `    method="${method}",`,
    ...(Object.keys(all).length > 0 ? [`    headers=${literal(all, 1)},`] : []),
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
