// Whether `npm ci` can work from a lockfile. npm leaves out the packages of other systems when the registry it was made
// with did not have them, and then refuses its own file.

interface LockedPackage {
  readonly version?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  /** Path below the root (`node_modules/a/node_modules/b`) → package; '' is the root. */
  readonly packages: Readonly<Record<string, LockedPackage & Manifest>>;
}

/** `package: missing` for every optional dependency without an entry that npm would find. */
export function missingOptionals({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in packages))
      .map((name) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}: ${name}`),
  );
}

/** `name: manifest version, locked version` where the two disagree. */
export function differences(manifest: Manifest, { packages }: Lockfile): string[] {
  const locked = packages[''] ?? {};
  return (['dependencies', 'devDependencies'] as const).flatMap((group) => {
    const [wanted, have] = [manifest[group] ?? {}, locked[group] ?? {}];
    return [...new Set([...Object.keys(wanted), ...Object.keys(have)])]
      .filter((name) => wanted[name] !== have[name])
      .map((name) => `${name}: ${wanted[name] ?? 'absent'}, ${have[name] ?? 'absent'}`);
  });
}

/** Where Node would look, nearest first: the package itself, then each folder above it. */
function foldersAbove(path: string): string[] {
  const folders = [`${path}/`];
  for (let at = path.lastIndexOf('node_modules/'); at >= 0; at = path.lastIndexOf('node_modules/', at - 1)) {
    folders.push(path.slice(0, at));
    if (at === 0) break;
  }
  return folders;
}
