/**
 * The credentials for AWS: those of the settings, else those of the role of the container (ECS, EKS Pod Identity) or of the
 * instance (EC2, IMDSv2). They are requested for each request to AWS KMS, of which there are few, and never stored.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Env } from '../config/index.ts';
import { askKms, type KmsAnswer, KmsError } from './kms-request.ts';

/** The settings that decide where the credentials come from. */
export type CredentialSettings = Pick<
  Env,
  | 'awsAccessKeyId'
  | 'awsSecretAccessKey'
  | 'awsSessionToken'
  | 'awsContainerUrl'
  | 'awsContainerTokenFile'
  | 'awsMetadataUrl'
>;

/** As the signer takes them; credentials of a role have a session token. */
export type AwsCredentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

const roleCredentials = z
  .object({ AccessKeyId: z.string().min(1), SecretAccessKey: z.string().min(1), Token: z.string().min(1) })
  .transform(
    ({ AccessKeyId, SecretAccessKey, Token }): AwsCredentials => ({
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: Token,
    }),
  );

/** The credentials for the next request; throws {@link KmsError} if the role's cannot be had. */
export async function awsCredentials(settings: CredentialSettings): Promise<AwsCredentials> {
  const {
    awsAccessKeyId: accessKeyId,
    awsSecretAccessKey: secretAccessKey,
    awsSessionToken,
    awsContainerUrl,
  } = settings;
  if (accessKeyId !== null && secretAccessKey !== null) {
    return { accessKeyId, secretAccessKey, sessionToken: awsSessionToken ?? undefined };
  }
  return awsContainerUrl === null ? ofInstance(settings) : ofContainer(awsContainerUrl, settings);
}

async function ofContainer(url: string, { awsContainerTokenFile }: CredentialSettings): Promise<AwsCredentials> {
  const name = "The container's credentials endpoint";
  const answer = await ask(name, async () => {
    // Read each time: EKS replaces the token.
    const token = awsContainerTokenFile === null ? null : (await readFile(awsContainerTokenFile, 'utf8')).trim();
    return new Request(url, token === null ? {} : { headers: { authorization: token } });
  });
  return credentialsIn(name, answer);
}

async function ofInstance({ awsMetadataUrl }: CredentialSettings): Promise<AwsCredentials> {
  const name = 'The metadata service of the instance, asked because AWS_ACCESS_KEY_ID is not set,';
  const path = '/latest/meta-data/iam/security-credentials/';
  const seconds = { 'x-aws-ec2-metadata-token-ttl-seconds': '60' };
  const { text: token } = await ask(
    name,
    async () => new Request(`${awsMetadataUrl}/latest/api/token`, { method: 'PUT', headers: seconds }),
  );
  const get = (of: string) =>
    ask(name, async () => new Request(awsMetadataUrl + of, { headers: { 'x-aws-ec2-metadata-token': token } }));
  const role = (await get(path)).text.trim();
  return credentialsIn(name, await get(path + encodeURIComponent(role)));
}

async function ask(name: string, build: () => Promise<Request>): Promise<KmsAnswer> {
  const answer = await askKms(name, build, ({ status }) => status === 429 || status >= 500);
  if (answer.status !== 200) throw new KmsError(`${name} answers with status ${answer.status}.`);
  return answer;
}

function credentialsIn(name: string, { body }: KmsAnswer): AwsCredentials {
  const read = roleCredentials.safeParse(body);
  if (!read.success) throw new KmsError(`${name} returns no credentials.`);
  return read.data;
}
