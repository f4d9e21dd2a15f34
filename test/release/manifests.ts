import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: true
  readonly license?: string
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>
  readonly publishConfig?: { readonly provenance?: boolean; readonly access?: string }
}

export interface ReleasedPackage {
  readonly folder: string
  readonly manifest: Manifest
}

/** Returns the packages that are released, by folder. The documentation and what only builds Sluice are not. */
export function releasedPackages(root: string): readonly ReleasedPackage[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest }))
    .filter(({ manifest }) => manifest.private !== true)
}
