/** Wraps data keys by AWS KMS: the actions Encrypt and Decrypt with an encryption context, signed with version 4. */
import { AwsV4Signer } from 'aws4fetch';
import { z } from 'zod';
import type { Env, KmsAddress } from '../config/index.ts';
import { awsCredentials, type CredentialSettings } from './aws-credentials.ts';
import { isWrappedLocally, type KeyEncryption } from './key-encryption.ts';
import { askKms, type KmsAnswer, KmsError } from './kms-request.ts';

type Settings = CredentialSettings & Pick<Env, 'awsKmsEndpoint'>;

const name = 'AWS KMS';
const encrypted = z.object({ CiphertextBlob: z.base64().min(1) });
const decrypted = z.object({ Plaintext: z.base64() });

/** The answers to a ciphertext of another key or context. */
const otherKey = ['IncorrectKeyException', 'InvalidCiphertextException'];
const temporary = ['ThrottlingException', 'LimitExceededException', 'RequestLimitExceeded'];

/** Uses the symmetric key with this ARN. The context is the encryption context, which AWS also logs in CloudTrail. */
export function awsKms({ arn, region, host }: KmsAddress & { kind: 'aws' }, settings: Settings): KeyEncryption {
  const url = settings.awsKmsEndpoint ?? `https://${host}`;
  const ask = (action: 'Encrypt' | 'Decrypt', context: string, values: Record<string, string>) => {
    const body = JSON.stringify({ ...values, KeyId: arn, EncryptionContext: { florin: context } });
    const build = async () => {
      const signer = new AwsV4Signer({
        url: `${url}/`,
        method: 'POST',
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${action}` },
        body,
        ...(await awsCredentials(settings)),
        service: 'kms',
        region,
      });
      const { url: signedUrl, ...init } = await signer.sign();
      return new Request(signedUrl, init as RequestInit);
    };
    return askKms(name, build, isTemporary);
  };
  return {
    async wrap(dataKey, context) {
      const answer = await ask('Encrypt', context, { Plaintext: dataKey.toString('base64') });
      const read = encrypted.safeParse(answer.body);
      if (answer.status !== 200 || !read.success) throw refused('Encrypt', answer);
      return Buffer.from(read.data.CiphertextBlob, 'base64');
    },
    async unwrap(wrapped, context) {
      if (isWrappedLocally(wrapped) || wrapped.toString('latin1').startsWith('vault:v')) return null;
      const answer = await ask('Decrypt', context, { CiphertextBlob: wrapped.toString('base64') });
      if (otherKey.includes(errorOf(answer))) return null;
      const read = decrypted.safeParse(answer.body);
      if (answer.status !== 200 || !read.success) throw refused('Decrypt', answer);
      return Buffer.from(read.data.Plaintext, 'base64');
    },
  };
}

/** The name of an error, such as AccessDeniedException; empty for other answers. */
function errorOf({ body }: KmsAnswer): string {
  const type = (body as { __type?: unknown } | null)?.__type;
  return typeof type === 'string' ? type.replace(/^.*#/, '') : '';
}

const isTemporary = (answer: KmsAnswer) =>
  answer.status === 429 || answer.status >= 500 || temporary.includes(errorOf(answer));

const refused = (action: string, answer: KmsAnswer) =>
  new KmsError(`${name} refuses ${action}: ${errorOf(answer) || `status ${answer.status}`}.`);
