// Makes the base images that the Dockerfile names, where no registry of images is reachable: Debian by debootstrap, and
// on it Node 24 and npm, as the official images have them.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildah } from './buildah.ts';

const debian = 'docker.io/library/debian:bookworm-slim';
/** Takes the place of the load balancer's image in compose.yaml. */
export const haproxy = 'localhost/haproxy:2.6';
const node = 'docker.io/library/node:24-bookworm-slim';

/** Removed by Debian's slim images as well. */
const removed = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
  'var/cache/apt',
  'var/lib/apt/lists',
];

/** Makes the images that do not exist yet, in a new folder. */
export async function baseImages(folder: string): Promise<void> {
  const present = buildah('images', '--format', '{{.Name}}:{{.Tag}}').split('\n');
  if (!present.includes(debian)) makeDebian(folder);
  if (!present.includes(node)) makeNode();
  if (!present.includes(haproxy)) makeHaproxy();
}

// Debian's package of the same version.
function makeHaproxy(): void {
  const container = buildah('from', '--pull-never', debian).trim();
  buildah('run', container, '--', 'sh', '-c', 'apt-get update && apt-get install -y --no-install-recommends haproxy');
  buildah('commit', container, haproxy);
  buildah('rm', container);
}

function makeDebian(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tree = join(folder, 'debian');
  execFileSync('debootstrap', ['--variant=minbase', 'bookworm', tree], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const path of removed) rmSync(join(tree, path), { recursive: true, force: true });
  for (const path of ['var/lib/apt/lists/partial', 'var/cache/apt/archives/partial']) {
    mkdirSync(join(tree, path), { recursive: true });
  }
  const container = buildah('from', 'scratch').trim();
  buildah('add', container, tree, '/');
  buildah('config', '--cmd', 'bash', container);
  buildah('commit', container, debian);
  buildah('rm', container);
  rmSync(folder, { recursive: true });
}

// Takes the Node that runs this and the npm next to the system's.
function makeNode(): void {
  const container = buildah('from', '--pull-never', debian).trim();
  const tree = buildah('mount', container).trim();
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  cpSync(process.execPath, join(tree, 'usr/local/bin/node'));
  cpSync(dirname(dirname(npm)), join(tree, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    const link = join(tree, 'usr/local/bin', name);
    if (!existsSync(dirname(link))) mkdirSync(dirname(link), { recursive: true });
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, link);
  }
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates && existsSync(certificates)) {
    // Those of a proxy between this machine and the registry of packages.
    cpSync(certificates, join(tree, 'etc/ssl/extra.pem'));
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/extra.pem', container);
  }
  buildah('umount', container);
  buildah('run', container, '--', 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node');
  buildah('commit', container, node);
  buildah('rm', container);
}
