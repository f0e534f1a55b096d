// The software bill of materials of a lock file: every package installed in production, as CycloneDX 1.6.
import { createHash } from 'node:crypto';

type Named = Record<string, string>;
type Entry = {
  name?: string;
  version: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  dependencies?: Named;
  optionalDependencies?: Named;
  peerDependencies?: Named;
};
type Packages = Record<string, Entry>;

type Hash = { alg: string; content: string };
type Component = {
  type: 'library' | 'application';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  scope?: 'optional' | 'required';
  hashes?: Hash[];
  licenses?: object[];
};

export type Bill = {
  $schema: string;
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  serialNumber: string;
  version: number;
  metadata: { timestamp: string; lifecycles: { phase: string }[]; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

const algorithms: Record<string, string> = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

const nameAt = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The package URL: the at sign of a scope is encoded. */
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** Every hash of a Subresource Integrity text, in hex. */
function hashesOf(integrity = ''): Hash[] {
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

/** The bill of materials of a lock file (version 3). */
export function sbomOf(lock: { packages: Packages }, madeAt: Date): Bill {
  const { packages } = lock;
  const own = packages[''];
  if (!own?.name) throw new Error('The lock file has no project of its own.');
  const ownRef = purlOf(own.name, own.version);
  const inside = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.dev);
  const components = new Map<string, Component>();
  const dependsOn = new Map<string, Set<string>>([[ownRef, new Set()]]);
  const refs = new Map(inside.map(([path, { version }]) => [path, purlOf(nameAt(path), version)]));
  const point = (ref: string, from: string, names: string[]) => {
    for (const name of names) {
      const found = refs.get(resolve(packages, from, name) ?? '');
      if (found) dependsOn.get(ref)?.add(found);
    }
  };
  for (const [path, entry] of inside) {
    const { version, integrity, license, optional, devOptional, dependencies, optionalDependencies } = entry;
    const { peerDependencies } = entry;
    const ref = purlOf(nameAt(path), version);
    // A package installed in several folders is one component.
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
