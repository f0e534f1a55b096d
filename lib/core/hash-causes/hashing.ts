// Mistakes in hashing a correct text: the digest, its steps and its encoding.
import { type Candidate, type CauseRow, type HashVariant, without } from './candidates';
import { digestNames } from './labels';

export const otherDigest: CauseRow = {
  id: 'digest',
  name: 'MD5 and SHA-256 mixed up',
  tries: ({ layout, digest }) => {
    const other = digest === 'md5' ? 'sha256' : 'md5';
    return [
      {
        title: `Signed with ${digestNames[other]}, but this mapping requires ${digestNames[digest]}`,
        advice: `Use ${digestNames[digest]}, or have the digest of the protocol mapping changed. The signed text is right.`,
        layout,
        how: { digest: other },
      },
    ];
  },
};

export const outerSha1: CauseRow = {
  id: 'outer',
  name: 'Outer SHA-1 missed or added',
  tries: ({ layout }) => [
    layout.outer
      ? {
          title: 'The outer SHA-1 is missing',
          advice: 'Checkout hashes twice: SHA-1 of the lower-case hex text of the first digest.',
          layout: { ...layout, outer: false },
        }
      : {
          title: 'An extra SHA-1 was applied to the digest',
          advice: 'Only Checkout hashes twice. Send the digest of the text.',
          layout: { ...layout, outer: true },
        },
  ],
};

export const innerDigest: CauseRow = {
  id: 'inner',
  name: 'First digest in upper case or as bytes',
  tries: ({ layout }) =>
    layout.outer
      ? [
          {
            title: 'The first digest was converted to upper case before SHA-1',
            advice: 'Write the first digest in lower-case hex; SHA-1 is computed over exactly that text.',
            layout,
            how: { inner: 'capitals' as const },
          },
          {
            title: 'SHA-1 was computed over the bytes of the first digest',
            advice: 'Compute SHA-1 over the hex text of the first digest, not over its bytes.',
            layout,
            how: { inner: 'bytes' as const },
          },
        ]
      : [],
};

export const otherAlgorithm: CauseRow = {
  id: 'algorithm',
  name: 'Different hash algorithm or encoding',
  tries: ({ layout, values, digest }) => {
    const as = (title: string, how: Partial<HashVariant>, shape = layout): Candidate => ({
      title,
      advice: `Compute ${digestNames[digest]} of the text${layout.outer ? ', then SHA-1 of its hex text' : ''}, and send it as hex.`,
      layout: shape,
      how,
    });
    const bare = { ...layout, outer: false };
    return [
      as('Only SHA-1 was used', { digest: 'sha1' }, bare),
      as('SHA-512 was used', { digest: 'sha512' }, bare),
      as('SHA-512 was used', { digest: 'sha512' }),
      as('The digest was sent in base64', { base64: true }),
      as('The first digest was sent in base64', { base64: true }, bare),
      as('A keyed hash (HMAC) was used', { hmac: values.password }, without(bare, 'password')),
      as('A keyed hash (HMAC) was used', { hmac: values.password }, bare),
    ];
  },
};
