/** The address of a key in a key management service. */

/** A key of HashiCorp Vault's transit engine, or of AWS KMS. */
export type KmsAddress =
  /** `engine` is the address of the engine's API without a trailing slash. */
  { kind: 'transit'; engine: string; key: string } | { kind: 'aws'; arn: string; region: string; host: string };

/** Reads `https://vault.example.com:8200/v1/transit/keys/florin`, or the ARN of a key or an alias; undefined if wrong. */
export function readKmsAddress(text: string): KmsAddress | undefined {
  const aws = /^arn:(aws|aws-cn|aws-us-gov):kms:([a-z0-9-]+):\d{12}:(key|alias)\/[\w/-]+$/.exec(text);
  if (aws) {
    const [, partition, region = ''] = aws;
    return {
      kind: 'aws',
      arn: text,
      region,
      host: `kms.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`,
    };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return undefined;
  const [, engine, key] = /^(\/v1(?:\/[\w.-]+)+)\/keys\/([\w.-]+)$/.exec(url.pathname) ?? [];
  return engine && key ? { kind: 'transit', engine: url.origin + engine, key } : undefined;
}
