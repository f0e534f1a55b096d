/** The bucket of an S3-compatible store that gets exported files (EXPORT_BUCKET). */
import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Env } from '../../config/index.ts';

type BucketSettings = Pick<Env, 'exportBucket' | 'exportPrefix' | 'exportRegion' | 'exportEndpoint'>;

/** Each part of a file, and each attempt to send it. */
const requestMilliseconds = 60_000;
const connectMilliseconds = 5_000;
const partBytes = 8 * 1024 * 1024;

/**
 * Stores a file under `name`, part by part as its text is read: a repeat replaces it, and it is not visible before it is
 * complete. Returns its key.
 */
export async function storeInBucket(
  { exportBucket, exportPrefix, exportRegion, exportEndpoint }: BucketSettings,
  name: string,
  text: AsyncIterable<string>,
): Promise<string> {
  if (exportBucket === null) throw new Error('EXPORT_BUCKET is not set');
  const client = new S3Client({
    region: exportRegion,
    // Stores of their own have no host name for each bucket.
    ...(exportEndpoint !== null && { endpoint: exportEndpoint, forcePathStyle: true }),
    requestHandler: { requestTimeout: requestMilliseconds, connectionTimeout: connectMilliseconds },
    // Checksums beyond those of the protocol are not understood by every store.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  try {
    const Key = exportPrefix + name;
    const upload = new Upload({
      client,
      queueSize: 1,
      partSize: partBytes,
      params: { Bucket: exportBucket, Key, Body: Readable.from(bytesOf(text)), ContentType: 'text/csv; charset=utf-8' },
    });
    await upload.done();
    return Key;
  } finally {
    client.destroy();
  }
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const page of text) yield Buffer.from(page);
}
