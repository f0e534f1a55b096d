// Runs buildah without a container engine: storage in plain folders, commands in a chroot.
import { execFileSync } from 'node:child_process';

/** The environment of every call. */
export const storage = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };

/** Runs buildah and returns its output; its messages go to the terminal. */
export function buildah(...args: string[]): string {
  return execFileSync('buildah', args, {
    encoding: 'utf8',
    env: { ...process.env, ...storage },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** The sizes in MB of a mounted image and of its /app. */
export function sizeOf(folder: string): { image: number; app: number } {
  const megabytes = (path: string) =>
    Math.round(Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0]) / 1000);
  return { image: megabytes(folder), app: megabytes(`${folder}/app`) };
}
