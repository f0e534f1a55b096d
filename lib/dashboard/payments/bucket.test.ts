// Uploads to a bucket, against a store of that protocol on this machine.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type S3StandIn, startS3 } from '../../../e2e/support/s3.ts';
import { storeInBucket } from './bucket.ts';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a-secret-of-this-test' };
let store: S3StandIn;

beforeAll(async () => {
  store = await startS3({ bucket: 'exports', region: 'eu-central-1', ...keys });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await store.stop();
});
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', keys.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', keys.secretAccessKey);
  store.objects.clear();
  store.asked.length = 0;
});

const settings = () => ({
  exportBucket: 'exports',
  exportPrefix: 'florin/',
  exportRegion: 'eu-central-1',
  exportEndpoint: store.origin,
});

async function* pages(...texts: string[]) {
  for (const text of texts) yield text;
}

/** More than two parts of eight megabytes. */
const line = `${'x'.repeat(1023)}\n`;
const megabyte = line.repeat(1024);
const long = Array(20).fill(megabyte);

describe('storeInBucket', () => {
  it('stores a short file by one request, and replaces it', async () => {
    expect(await storeInBucket(settings(), 'all/day.csv', pages('a,b\r\n', '1,2\r\n'))).toBe('florin/all/day.csv');
    expect([...store.objects]).toEqual([['florin/all/day.csv', 'a,b\r\n1,2\r\n']]);
    expect(store.asked).toEqual(['PUT']);
    await storeInBucket(settings(), 'all/day.csv', pages('new'));
    expect(store.objects.get('florin/all/day.csv')).toBe('new');
  });

  it('stores a long file in parts, and repeats a part that the store refuses for a moment', async () => {
    store.faults.push(503);
    await storeInBucket(settings(), 'long.csv', pages(...long));
    expect(store.objects.get('florin/long.csv')).toBe(long.join(''));
    expect(store.asked.filter((asked) => asked === 'PUT partNumber uploadId')).toHaveLength(3);
    expect(store.open()).toBe(0);
  });

  it('leaves no file where the text cannot be read to its end', async () => {
    async function* failing() {
      yield* pages(...long);
      throw new Error('the database is gone');
    }
    await expect(storeInBucket(settings(), 'cut.csv', failing())).rejects.toThrow('the database is gone');
    expect([store.objects.size, store.open()]).toEqual([0, 0]);
  });

  it('names what the store refuses, without the secret', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another-secret');
    const refused = storeInBucket(settings(), 'no.csv', pages('a'));
    await expect(refused).rejects.toThrow(/refused|SignatureDoesNotMatch/);
    await expect(refused).rejects.not.toThrow(/another-secret/);
    expect(store.objects.size).toBe(0);
  });

  it('needs a bucket', async () => {
    const none = storeInBucket({ ...settings(), exportBucket: null }, 'no.csv', pages('a'));
    await expect(none).rejects.toThrow('EXPORT_BUCKET is not set');
  });
});
