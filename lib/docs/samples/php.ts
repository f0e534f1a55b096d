// Writes samples for PHP 8.2 and later with the curl extension. Strings are bytes, so that strrev and strtoupper
// (independent of the locale since 8.2) match the interface.
import { signedText } from '../../openapi/index.ts';
import * as common from './sample.ts';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const literal = common.literalWriter({ indent: '    ', brackets: '[]', quoted, key: (name) => `${quoted(name)} =>` });
const member = (name: string) => `[${quoted(name)}]`;
const termOf = common.termWriter({
  password: '$password',
  known: (name) => `$${common.snake(name)}`,
  field: (path) => `$body${path.split('.').map(member).join('')}`,
  fragment: (path) => `substr($body${member(path)}, 0, 6) . substr($body${member(path)}, -4)`,
});

function signingOf({ signature }: common.Sample): string[] {
  if (!signature) return [];
  const { groups, digest, outer } = signature;
  const text = signedText(groups, {
    plus: ' . ',
    groupText: ({ parts, reversed }) => {
      const joined = parts.map(termOf).join(' . ');
      return reversed ? `strrev(${joined})` : joined;
    },
    upper: (joined) => `strtoupper(${joined})`,
  });
  const inner = digest === 'md5' ? 'md5($text)' : "hash('sha256', $text)";
  return [`$text = ${text};`, `$hash = ${outer ? `sha1(${inner})` : inner};`];
}

/** A script that signs and sends the request and prints the response. */
export function writePhp(sample: common.Sample): common.Written {
  const { method, url, signature } = sample;
  const { isForm, groups, fields, headers, known: values } = common.partsOf(sample);
  const known = values.map(([name, text]) => `$${common.snake(name)} = ${quoted(text)};`);
  const lines = signingOf(sample);
  const sent = signature ? "$body + ['hash' => $hash]" : '$body';
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const program = [
    '<?php',
    ...(signature
      ? [`$password = getenv('${common.passwordName}') ?: exit("Set ${common.passwordName} first.\\n");`]
      : []),
    `$body = ${literal(fields)};`,
    ...(signature ? ['', ...known, ...lines] : []),
    '',
    `$request = curl_init(${quoted(url)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    ...(headerLines.length > 0 ? [`    CURLOPT_HTTPHEADER => [${headerLines.map(quoted).join(', ')}],`] : []),
    `    CURLOPT_POSTFIELDS => ${isForm ? `http_build_query(${sent})` : `json_encode(${sent}, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES)`},`,
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_TIMEOUT => 30,',
    ']);',
    '$response = curl_exec($request);',
    'if ($response === false) {',
    "    throw new RuntimeException('No response: ' . curl_error($request));",
    '}',
    'echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), " $response\\n";',
    '',
  ];
  const cut = common.cutsCard(groups) ? ['// Of the card number: the first six digits, then the last four.'] : [];
  return { program: program.join('\n'), signing: [...cut, ...known, ...lines].join('\n') };
}
