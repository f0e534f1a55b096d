// The software bill of materials: every package that is installed where the service runs, as CycloneDX 1.6 in JSON, made of
// package-lock.json alone, so that the same lock file always gives the same list. npm's own `npm sbom` writes version 1.5 of
// the format, and of what happens to be installed on the machine.
//   npm run --silent sbom                prints it
//   npm run sbom -- florin.cdx.json      writes it to a file
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './project.mjs';

const algorithms = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

const nameAt = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The package's address in the words of package-url: the at sign of a scope is encoded. */
const purlOf = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** Every hash of a Subresource Integrity text, in hex. */
function hashesOf(integrity = '') {
  return integrity
    .split(' ')
    .filter((each) => each !== '')
    .map((each) => {
      const [algorithm, value] = [each.slice(0, each.indexOf('-')), each.slice(each.indexOf('-') + 1)];
      return { alg: algorithms[algorithm], content: Buffer.from(value, 'base64').toString('hex') };
    });
}

// A simple identifier is one of SPDX; anything with a word between is an expression.
const licenseOf = (license) => (/[ ()]/.test(license) ? { expression: license } : { license: { id: license } });

/** Where Node finds a package from another one's folder: the nearest folder upwards that has it. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '' || !folder.includes('/node_modules/')) {
      return packages[`node_modules/${name}`] ? `node_modules/${name}` : null;
    }
  }
}

/**
 * The bill of materials of a lock file (version 3).
 * @param {{ packages: Record<string, object> }} lock
 * @param {Date} madeAt
 */
export function sbomOf(lock, madeAt) {
  const { packages } = lock;
  const own = packages[''];
  const ownRef = purlOf(own.name, own.version);
  const inside = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.dev);
  const components = new Map();
  const dependsOn = new Map([[ownRef, new Set()]]);
  const refs = new Map(inside.map(([path, { version }]) => [path, purlOf(nameAt(path), version)]));
  const point = (ref, from, names) => {
    for (const name of names) {
      const found = refs.get(resolve(packages, from, name) ?? '');
      if (found) dependsOn.get(ref).add(found);
    }
  };
  for (const [path, entry] of inside) {
    const { version, integrity, license, optional, devOptional, dependencies, optionalDependencies } = entry;
    const { peerDependencies } = entry;
    const ref = refs.get(path);
    // One package may lie in several folders; it is one component.
    components.set(ref, {
      type: 'library',
      'bom-ref': ref,
      name: nameAt(path),
      version,
      purl: ref,
      scope: optional || devOptional ? 'optional' : 'required',
      ...(integrity && { hashes: hashesOf(integrity) }),
      ...(license && { licenses: [licenseOf(license)] }),
    });
    if (!dependsOn.has(ref)) dependsOn.set(ref, new Set());
    point(ref, path, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
  }
  point(ownRef, '', Object.keys(own.dependencies));
  const inOrder = (values) => [...values].sort();
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(inOrder(components.keys())),
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': ownRef, name: own.name, version: own.version, purl: ownRef },
    },
    components: inOrder(components.keys()).map((ref) => components.get(ref)),
    dependencies: inOrder(dependsOn.keys()).map((ref) => ({ ref, dependsOn: inOrder(dependsOn.get(ref)) })),
  };
}

/** The same packages are the same bill: a UUID of the kind that is made of a digest (version 8). */
function serialOf(refs) {
  const hex = createHash('sha256').update(refs.join('\n')).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16], 16) % 4];
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const text = `${JSON.stringify(sbomOf(lock, new Date()), null, 2)}\n`;
  const [file] = process.argv.slice(2);
  if (file) writeFileSync(file, text);
  else process.stdout.write(text);
}
