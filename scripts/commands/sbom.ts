// florin sbom: the software bill of materials from package-lock.json alone, so that the same lock file gives the same
// list. npm's own `npm sbom` writes version 1.5 and lists what happens to be installed.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.ts';
import { defineCommand } from './command.ts';

export const sbom = defineCommand({
  usage: 'florin sbom [file]: writes the software bill of materials (CycloneDX) to the file, or prints it.',
  positionals: { least: 0, most: 1 },
  run: async (_values, [file]) => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const text = `${JSON.stringify(sbomOf(lock, new Date()), null, 2)}\n`;
    if (file) writeFileSync(file, text);
    else process.stdout.write(text);
  },
});

type Needs = Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', Record<string, string>>;
type Flags = Record<'dev' | 'optional' | 'devOptional', boolean>;
type Entry = { name?: string; version: string; integrity?: string; license?: string } & Partial<Flags & Needs>;
type Packages = Record<string, Entry>;

const algorithms: Record<string, string> = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

const nameAt = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The package URL: the at sign of a scope is encoded. */
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

function hashesOf(integrity = '') {
  return integrity
    .split(' ')
    .filter((each) => each !== '')
    .map((each) => {
      const [algorithm, value] = [each.slice(0, each.indexOf('-')), each.slice(each.indexOf('-') + 1)];
      return { alg: algorithms[algorithm] ?? algorithm, content: Buffer.from(value, 'base64').toString('hex') };
    });
}

// A simple identifier is an SPDX one; anything else is an expression.
const licenseOf = (license: string) => (/[ ()]/.test(license) ? { expression: license } : { license: { id: license } });

/** Resolves a package like Node: the nearest folder upwards that has it. */
function resolve(packages: Packages, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '' || !folder.includes('/node_modules/')) {
      return packages[`node_modules/${name}`] ? `node_modules/${name}` : null;
    }
  }
}

function componentOf(name: string, { version, integrity, license, optional, devOptional }: Entry) {
  const purl = purlOf(name, version);
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: optional || devOptional ? 'optional' : 'required',
    ...(integrity && { hashes: hashesOf(integrity) }),
    ...(license && { licenses: [licenseOf(license)] }),
  };
}

/** The bill of materials of a lock file (version 3), as CycloneDX 1.6: every package installed in production. */
export function sbomOf(lock: { packages: Packages }, madeAt: Date) {
  const { packages } = lock;
  const own = packages[''];
  if (!own?.name) throw new Error('The lock file has no project of its own.');
  const ownRef = purlOf(own.name, own.version);
  const inside = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.dev);
  const components = new Map<string, ReturnType<typeof componentOf>>();
  const dependsOn = new Map<string, Set<string>>([[ownRef, new Set()]]);
  const refs = new Map(inside.map(([path, { version }]) => [path, purlOf(nameAt(path), version)]));
  const point = (ref: string, from: string, names: string[]) => {
    for (const name of names) {
      const found = refs.get(resolve(packages, from, name) ?? '');
      if (found) dependsOn.get(ref)?.add(found);
    }
  };
  for (const [path, entry] of inside) {
    const { dependencies, optionalDependencies, peerDependencies } = entry;
    const component = componentOf(nameAt(path), entry);
    const ref = component.purl;
    // A package installed in several folders is one component.
    components.set(ref, component);
    if (!dependsOn.has(ref)) dependsOn.set(ref, new Set());
    point(ref, path, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
  }
  point(ownRef, '', Object.keys(own.dependencies ?? {}));
  const inOrder = (values: Iterable<string>) => [...values].sort();
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
    components: inOrder(components.keys()).flatMap((ref) => components.get(ref) ?? []),
    dependencies: inOrder(dependsOn.keys()).map((ref) => ({ ref, dependsOn: inOrder(dependsOn.get(ref) ?? []) })),
  };
}

/** The same packages give the same bill: a UUID derived from a digest (version 8). */
function serialOf(refs: string[]): string {
  const hex = createHash('sha256').update(refs.join('\n')).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}
